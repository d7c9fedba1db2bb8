// The page of a signed answer: copies it, and verifies pasted records without relying on anyone's verdict.
// Every page works without this file; the home then shows its own verdict. The texts are in the page's
// <template data-words>.

const words = document.querySelector('[data-words]').content;

const find = (name) => [...words.children].find(({ dataset }) => dataset.word === name);

/** A message by name; each value is text or an element. */
function say(name, values = {}) {
  const message = find(name).cloneNode(true);
  for (const place of message.querySelectorAll('[data-value]'))
    place.replaceChildren(values[place.dataset.value]);
  return message;
}

/** A word of the record in the reader's language, or as in the record. */
const translate = (kind, word) => find(`${kind}.${word}`)?.textContent ?? String(word);

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const area = document.getElementById(button.dataset.copy);
    const status = button.parentElement.querySelector('[role=status]');
    try {
      await navigator.clipboard.writeText(area.value);
      status.textContent = say('copied').textContent;
    } catch {
      area.select();
      status.textContent = say('copy-failed').textContent;
    }
  });
}

/** Signs besides the colour, as everywhere on these pages. */
const verdicts = {
  valid: { tone: 'good', sign: '✓' },
  invalid: { tone: 'bad', sign: '×' },
  revoked: { tone: 'bad', sign: '×' },
  elsewhere: { tone: 'care', sign: '!' },
  unknown: { tone: 'care', sign: '!' },
};

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** A record's statements: the question and each person's answer, or its subject and outcome. */
function statements(record) {
  const { ask, answers, subject, type, outcome } = record;
  const became = say('became', { status: translate('status', record.status) });
  if (typeof ask?.title !== 'string' || !Array.isArray(answers)) {
    const title = record[subject?.kind]?.title;
    const kind = say('type', { type: String(type) });
    if (typeof title !== 'string') return [kind];
    const { summary } = outcome ?? {};
    const ending = typeof summary === 'string' ? [say('outcome', { summary })] : [];
    return [kind, say('about', { title }), became, ...ending];
  }
  const given = answers.map(({ name, decision, answer, by }) => {
    const author = by === 'person' ? 'person' : 'ai';
    const values = { name: String(name), decision: translate('status', decision), answer };
    return say(typeof answer === 'string' ? `${author}-answer` : author, values);
  });
  return [say('asked', { title: ask.title }), became, ...given];
}

function showVerdict(place, { verdict, fault, record, home }) {
  const { tone, sign } = verdicts[verdict];
  const signSpan = element('span', { className: 'notice-sign', textContent: sign });
  signSpan.setAttribute('aria-hidden', 'true');
  const title = Object.assign(say(`verdict.${verdict}`), { className: 'notice-title' });
  const lines =
    verdict === 'valid' ? statements(record) : [say(`fault.${fault}`, { signer: record?.home, home })];
  const inside = element('div', { className: 'notice-words' }, title, ...lines);
  place.replaceChildren(element('div', { className: `notice ${tone}` }, signSpan, inside));
}

async function check({ dataset }, text) {
  try {
    const [{ checkRecord }, curve, answer] = await Promise.all([
      import(dataset.verify),
      import(dataset.ed25519),
      fetch(dataset.document, { headers: { Accept: 'application/json' } }),
    ]);
    if (!answer.ok) throw new Error('no document');
    // The home's clock, because the visitor's may be wrong.
    const now = Date.parse(answer.headers.get('date'));
    const keys = await answer.json();
    return { ...(await checkRecord(text, keys, curve, now)), home: keys.home };
  } catch {
    return { verdict: 'unknown', fault: window.isSecureContext ? 'no_keys' : 'insecure' };
  }
}

for (const section of document.querySelectorAll('[data-check]')) {
  const form = section.querySelector('form');
  const place = section.querySelector('[data-check-verdict]');
  for (const where of section.querySelectorAll('[data-check-where]'))
    where.textContent = say('where').textContent;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    showVerdict(place, await check(section, form.elements.record.value));
    button.disabled = false;
  });
}
