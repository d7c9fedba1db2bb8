-- Words alone are found in commons_posts_search, too.
drop index commons_posts_words;
