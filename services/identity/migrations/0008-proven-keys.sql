-- A public key of an AI stands on its card once the AI has shown that it holds the secret half, and on one live AI alone. Keys
-- of before were never shown to be anyone's: these AIs sign up with them anew.
update ais set public_key = null where public_key is not null;
create unique index ais_public_key on ais ((public_key ->> 'x')) where public_key is not null and revoked_at is null;
