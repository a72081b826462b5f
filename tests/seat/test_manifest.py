"""bot.yaml: what makes a folder a bot, and what its author is told when it does not."""

import sys
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.seat.manifest import Manifest, load_manifest

PROJECT = Path(__file__).parents[2]


def bot_folder(folder: Path, content: str) -> Path:
    (folder / "bot.yaml").write_text(content, encoding="utf-8")
    return folder


def complaint(folder: Path, content: str) -> str:
    """The message for a wrong bot.yaml, without the folder's name."""
    with pytest.raises(ConfigError) as caught:
        load_manifest(bot_folder(folder, content))
    return str(caught.value).replace(f"{folder}/", "")


def test_everything_is_read(tmp_path: Path) -> None:
    text = "name: Old Goat\nlanguage: C99\nbuild: [[make, clean], make 'all of it']\nrun: [./goat, --level, '9']\n"
    manifest = load_manifest(bot_folder(tmp_path, text))
    assert manifest == Manifest(
        folder=tmp_path.resolve(),
        name="Old Goat",
        language="C99",
        build=(("make", "clean"), ("make", "all of it")),
        run=("./goat", "--level", "9"),
    )
    assert manifest.command == ("./goat", "--level", "9")


def test_only_name_and_run_are_needed(tmp_path: Path) -> None:
    manifest = load_manifest(bot_folder(tmp_path, "name: x\nrun: [./x]\n"))
    assert (manifest.language, manifest.build) == ("", ())


def test_the_folder_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot_folder(tmp_path, "name: x\nrun: [./x]\n")
    monkeypatch.chdir(tmp_path)
    assert load_manifest(Path()).folder == tmp_path.resolve()


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("[node, main.js]", ("node", "main.js")),
        ("node main.js", ("node", "main.js")),
        ("node 'my main.js' --flag=\"a b\"", ("node", "my main.js", "--flag=a b")),
        ("[./bot, '*', $HOME, a | b]", ("./bot", "*", "$HOME", "a | b")),
        ("[./bot, no, '']", ("./bot", "no", "")),
    ],
)
def test_a_command_is_a_list_of_words_or_text_that_is_split(tmp_path: Path, run: str, words: tuple[str, ...]) -> None:
    assert load_manifest(bot_folder(tmp_path, f"name: x\nrun: {run}\n")).command == words


@pytest.mark.parametrize(
    ("build", "commands"),
    [
        ("[make, install]", (("make", "install"),)),
        ("make install", (("make", "install"),)),
        ("[[make], [make, install]]", (("make",), ("make", "install"))),
        ("[[make], make install]", (("make",), ("make", "install"))),
        ("[]", ()),
    ],
)
def test_build_is_a_command_or_a_list_of_commands(tmp_path: Path, build: str, commands: tuple[tuple[str, ...], ...]) -> None:
    assert load_manifest(bot_folder(tmp_path, f"name: x\nrun: [./x]\nbuild: {build}\n")).build_commands == commands


def test_python_is_the_interpreter_that_runs_the_framework(tmp_path: Path) -> None:
    manifest = load_manifest(bot_folder(tmp_path, "name: x\nbuild: [[python, setup.py]]\nrun: [python, main.py, python]\n"))
    assert manifest.command == (sys.executable, "main.py", "python")
    assert manifest.build_commands == ((sys.executable, "setup.py"),)
    assert manifest.run == ("python", "main.py", "python")


def test_run_stdio_starts_the_program_behind_the_bridge(tmp_path: Path) -> None:
    manifest = load_manifest(bot_folder(tmp_path, "name: x\nrun_stdio: [awk, -f, bot.awk]\n"))
    assert manifest.run == ("awk", "-f", "bot.awk")
    assert manifest.command == (sys.executable, "-P", "-m", "arena.bot.bridge", "--", "awk", "-f", "bot.awk")
    manifest = load_manifest(bot_folder(tmp_path, "name: x\nrun_stdio: python main.py\n"))
    assert manifest.command[-2:] == (sys.executable, "main.py")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "nmae: x\nrun: [./x]\n",
            "bot.yaml:1: nmae: there is no such key; did you mean name?",
        ),
        (
            "name: x\n",
            "bot.yaml:1: run: is missing, and so is run_stdio; "
            "one of them must be a command: a list of words such as [python, main.py]",
        ),
        (
            "name: x\nrunstdio: [./x]\n",
            "bot.yaml:2: runstdio: there is no such key; did you mean run_stdio?",
        ),
        (
            "name: x\nrun_stdio: [./x]\nbuild: make\nrun: [./x]\n",
            "bot.yaml:2: run_stdio: is given beside run; a bot has one of the two",
        ),
        (
            "run_stdio: []\nnmae: x\n",
            "bot.yaml:1: run_stdio: has no program; it must be a list of words such as [python, main.py]\n"
            "bot.yaml:2: nmae: there is no such key; did you mean name?",
        ),
        (
            "name: x\nrun: [./x, 5]\n",
            "bot.yaml:2: run: word 2 must be text, not the number 5; put it in quotes",
        ),
        (
            "name: x\nrun: []\n",
            "bot.yaml:2: run: has no program; it must be a list of words such as [python, main.py]",
        ),
        (
            "name: x\nrun: '  '\n",
            "bot.yaml:2: run: has no program; it must be a list of words such as [python, main.py]",
        ),
        (
            "name: x\nrun: [python main.py]\n",
            'bot.yaml:2: run: the program "python main.py" has a space in it; write one word an entry: [python, main.py]',
        ),
        (
            "name: x\nrun: [./x]\nbuild:\n  - make\n  - [make, 7]\n",
            "bot.yaml:3: build: command 2: word 2 must be text, not the number 7; put it in quotes",
        ),
        (
            "name: x\nrun: ./x 'a\n",
            "bot.yaml:2: run: cannot be split into words: no closing quotation; write a list of words",
        ),
        (
            "name: ''\nrun: true\n",
            'bot.yaml:1: name: must be text of 1 to 64 characters, not the text ""\n'
            "bot.yaml:2: run: must be a list of words such as [python, main.py], not true",
        ),
        (
            'name: "a\\nb"\nrun: [./x]\nlanguage: "\\u202etxt"\n',
            "bot.yaml:1: name: has the control character U+000A; remove it\n"
            "bot.yaml:3: language: has the control character U+202E; remove it",
        ),
        ("", "bot.yaml:1: the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    assert complaint(tmp_path, content) == message


def test_a_hostile_key_cannot_reach_the_terminal(tmp_path: Path) -> None:
    message = complaint(tmp_path, 'name: x\nrun: [./x]\n"\\e]0;owned\\a\\r\\n": 1\n')
    assert message.isprintable()
    assert "owned" in message


def test_a_missing_folder_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / "greedy").mkdir()
    with pytest.raises(ConfigError, match=r"gredy: there is no such folder; did you mean greedy\?$"):
        load_manifest(tmp_path / "gredy")


def test_a_file_in_place_of_a_folder_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "goat.zip").touch()
    with pytest.raises(ConfigError, match=r"goat\.zip: is no folder; a bot is a folder with a bot\.yaml in it$"):
        load_manifest(tmp_path / "goat.zip")


def test_a_folder_without_manifest_is_named_with_the_nearest_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no bot\.yaml in this folder$"):
        load_manifest(tmp_path)
    (tmp_path / "bot.yml").touch()
    with pytest.raises(ConfigError, match=r"there is no bot\.yaml in this folder; did you mean bot\.yml\?$"):
        load_manifest(tmp_path)


@pytest.mark.parametrize("name", ["x" * 300, "\0", "a/b/c", "file/bot"])
def test_a_folder_that_cannot_be_is_a_complaint_and_no_crash(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError):
        load_manifest(tmp_path / name)


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.yaml").mkdir()
    with pytest.raises(ConfigError, match="is not a file"):
        load_manifest(tmp_path)


@pytest.mark.parametrize("folder", sorted((PROJECT / "sample_bots").glob("*/")), ids=lambda folder: folder.name)
def test_every_sample_bot_has_a_valid_manifest(folder: Path) -> None:
    assert load_manifest(folder).run
