"""What each page shows, as frozen records: made here from what the commands use, and only laid out by the templates."""
