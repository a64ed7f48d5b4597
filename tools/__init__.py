"""What the project makes of itself: its schemas, the reference pages, the packages. None of it is shipped."""
