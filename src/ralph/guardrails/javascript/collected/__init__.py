"""Which tests a JavaScript file has, as its runner collects them, and what they can depend on."""
