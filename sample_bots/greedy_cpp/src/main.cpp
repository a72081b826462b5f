// The bot: what it does when the referee wants something.

#include "client.h"
#include "strategy.h"

namespace {

class Greedy : public arena::Bot {
public:
    arena::v1::Move choose(const arena::v1::Turn& turn) override {
        return choose_move(turn.view(), turn.legal());
    }
};

}  // namespace

int main() {
    Greedy bot;
    return arena::serve("greedy", bot);
}
