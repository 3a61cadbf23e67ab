"""From IR to ready strings: what the templates print, with every decision taken."""
