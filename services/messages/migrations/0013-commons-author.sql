-- Posts of an author are found in commons_posts_of_author.
drop index commons_posts_author;
