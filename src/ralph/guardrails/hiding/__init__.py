"""What hides a change from the people and tools that look at it (policy set v2, class G18), in every language.

`lines` finds characters that are not what they look like, `encoded` code that only running shows, `generated` marks
that make tools and people pass a file over, `attributes` and `ignores` what git is told to leave out of sight.
"""
