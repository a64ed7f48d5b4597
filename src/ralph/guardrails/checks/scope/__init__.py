"""What a check looks at, where it looks, and whether that is less than before (class G09)."""
