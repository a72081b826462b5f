"""The examination that a bot takes before it may play, and the kits from which a new bot is made."""
