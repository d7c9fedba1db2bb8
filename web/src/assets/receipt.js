// The page of a signed answer: copies it, and checks whatever is pasted without asking anybody for a verdict. Every page
// works without this file: then the home says what it thinks of the record.

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const area = document.getElementById(button.dataset.copy);
    const said = button.parentElement.querySelector('[role=status]');
    try {
      await navigator.clipboard.writeText(area.value);
      said.textContent = 'Copied.';
    } catch {
      area.select();
      said.textContent = 'This browser does not let us copy. It is selected: copy it by hand.';
    }
  });
}

/** Signs and words as everywhere on these pages: colour never says it alone. */
const verdicts = {
  valid: { tone: 'good', sign: '✓', title: 'Valid' },
  invalid: { tone: 'bad', sign: '×', title: 'Not valid' },
  revoked: { tone: 'bad', sign: '×', title: 'Not valid: its key was revoked' },
  elsewhere: { tone: 'care', sign: '!', title: 'From another home' },
  unknown: { tone: 'care', sign: '!', title: 'It could not be checked' },
};

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** The statements of a record as text: the question and each person's answer, or its matter and how that ended. */
function statements(record) {
  const { ask, answers, status, subject, type, outcome } = record;
  if (typeof ask?.title !== 'string' || !Array.isArray(answers)) {
    const title = record[subject?.kind]?.title;
    const kind = `It is a record of the kind ${type}.`;
    if (typeof title !== 'string') return [kind];
    const summary = typeof outcome?.summary === 'string' ? [`Outcome: ${outcome.summary}`] : [];
    return [kind, `About: ${title}`, `Became: ${status}`, ...summary];
  }
  const said = answers.map(({ name, decision, answer, by }) => {
    const who = by === 'person' ? 'a person' : 'an AI';
    return `${name} (${who}): ${decision}${typeof answer === 'string' ? `, ${answer}` : ''}`;
  });
  return [`Asked: ${ask.title}`, `Became: ${status}`, ...said];
}

function showVerdict(place, { verdict, problem, record }) {
  const { tone, sign, title } = verdicts[verdict];
  const signSpan = element('span', { className: 'notice-sign', textContent: sign });
  signSpan.setAttribute('aria-hidden', 'true');
  const lines = verdict === 'valid' ? statements(record) : [problem];
  const inside = element(
    'div',
    { className: 'notice-words' },
    element('p', { className: 'notice-title', textContent: title }),
    ...lines.map((line) => element('p', {}, element('bdi', { className: 'theirs', textContent: line }))),
  );
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
    // The home's clock: that of a visitor may be wrong.
    const now = Date.parse(answer.headers.get('date'));
    return await checkRecord(text, await answer.json(), curve, now);
  } catch {
    const problem = window.isSecureContext
      ? 'The keys of this home cannot be had at the moment. Try again in a minute.'
      : 'This browser checks signatures on pages that come by https alone.';
    return { verdict: 'unknown', problem };
  }
}

for (const section of document.querySelectorAll('[data-check]')) {
  const form = section.querySelector('form');
  const place = section.querySelector('[data-check-verdict]');
  for (const words of section.querySelectorAll('[data-check-where]')) {
    words.textContent =
      'It is checked within this browser, with the keys that the home publishes, and sent nowhere.';
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    showVerdict(place, await check(section, form.elements.record.value));
    button.disabled = false;
  });
}
