"""Which tests a Go package has, in each of their forms, and what excuses one that is gone."""
