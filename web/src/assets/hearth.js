// Passkeys, and the browser's time zone. Every page works without this file.
//
// A section with data-passkey ("get" or "create") is shown if the browser supports that. The script posts its form's
// fields as JSON to data-options, which returns WebAuthn options; then to data-answer, with the browser's result as
// `credential`, which returns {next} or an {error} to show. The element with data-passkey-error has the texts for other failures.

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const withBytes = (descriptors = []) =>
  descriptors.map((descriptor) => ({ ...descriptor, id: bytesOf(descriptor.id) }));

function requestOptions(json) {
  if (PublicKeyCredential.parseRequestOptionsFromJSON)
    return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const { challenge, allowCredentials } = json;
  return { ...json, challenge: bytesOf(challenge), allowCredentials: withBytes(allowCredentials) };
}

function creationOptions(json) {
  if (PublicKeyCredential.parseCreationOptionsFromJSON)
    return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const { challenge, user, excludeCredentials } = json;
  return {
    ...json,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: withBytes(excludeCredentials),
  };
}

function credentialJson(credential) {
  if (credential.toJSON) return credential.toJSON();
  const { id, rawId, type, response, authenticatorAttachment } = credential;
  const json = { clientDataJSON: textOf(response.clientDataJSON) };
  for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[name]) json[name] = textOf(response[name]);
  }
  if (response.getTransports) json.transports = response.getTransports();
  return {
    ...{ id, rawId: textOf(rawId), type, authenticatorAttachment, response: json },
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

async function ask(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(json.error), { refused: true });
  return json;
}

async function usePasskey({ dataset }, form) {
  const fields = Object.fromEntries(new FormData(form));
  const options = await ask(dataset.options, fields);
  const credential =
    dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: creationOptions(options) })
      : await navigator.credentials.get({ publicKey: requestOptions(options) });
  const { next } = await ask(dataset.answer, { ...fields, credential: credentialJson(credential) });
  const target = new URL(next, location.href);
  if (target.origin === location.origin) location.assign(target);
}

function wordsOf({ name, message, refused }, { unused, exists, failed }) {
  if (name === 'NotAllowedError') return unused;
  if (name === 'InvalidStateError') return exists;
  return refused ? message : failed;
}

if (window.PublicKeyCredential) {
  for (const section of document.querySelectorAll('[data-passkey]')) {
    const form = section.querySelector('form');
    const words = section.querySelector('[data-passkey-error]');
    section.hidden = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      words.hidden = true;
      form.querySelector('button').disabled = true;
      try {
        await usePasskey(section, form);
      } catch (error) {
        words.textContent = wordsOf(error, words.dataset);
        words.hidden = false;
      } finally {
        form.querySelector('button').disabled = false;
      }
    });
  }
}

const zone = document.querySelector('select[data-fill="time-zone"]');
if (zone && zone.value === '') {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Some browsers use a zone's old name, and WebKit does not tell that two names mean the same zone.
  const found = [...zone.options].find(({ value, dataset }) => value === here || dataset.was === here);
  if (found) found.selected = true;
}
