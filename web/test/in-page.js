// Checks that run in the browser. Each function is sent there by itself, so it is self-contained; each
// returns a list of error messages.

/** Labels, names, ids, headings, landmarks. */
export function findUnlabelled() {
  const wrong = [];
  const tell = (element, words) => wrong.push(`${element.outerHTML.slice(0, 120)}: ${words}`);
  const ids = new Set();
  for (const element of document.querySelectorAll('[id]')) {
    if (ids.has(element.id)) tell(element, 'its id is there twice');
    ids.add(element.id);
  }
  for (const control of document.querySelectorAll('input:not([type=hidden]), select, textarea, output')) {
    const label = control.labels?.[0];
    if (!label?.textContent.trim()) tell(control, 'has no label');
  }
  for (const control of document.querySelectorAll('a, button, summary')) {
    if (!control.textContent.trim()) tell(control, 'has no name');
  }
  for (const name of ['aria-describedby', 'aria-labelledby']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      for (const id of element.getAttribute(name).split(' ')) {
        if (!document.getElementById(id)?.textContent.trim()) tell(element, `${name} leads nowhere: ${id}`);
      }
    }
  }
  for (const invalid of document.querySelectorAll('[aria-invalid]')) {
    if (!invalid.getAttribute('aria-describedby')?.includes('-error'))
      tell(invalid, 'does not say what is wrong');
  }
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    if (!document.getElementById(link.hash.slice(1))) tell(link, 'leads nowhere');
  }
  for (const form of document.querySelectorAll('form')) {
    // A GET search changes nothing.
    const searches = form.method === 'get' && form.getAttribute('role') === 'search';
    if (searches) continue;
    if (form.method !== 'post' || !form.querySelector('input[name=csrf]')?.value)
      tell(form, 'is not safe to send');
  }
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]));
  if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1)
    wrong.push(`headings: ${levels}`);
  if (levels.some((level, index) => index > 0 && level > levels[index - 1] + 1))
    wrong.push(`headings: ${levels}`);
  for (const landmark of ['header', 'main', 'footer', 'a.skip']) {
    if (document.querySelectorAll(landmark).length !== 1) wrong.push(`not one ${landmark}`);
  }
  if (document.documentElement.lang !== 'en-GB' || !document.title.trim())
    wrong.push('no language or no title');
  return wrong;
}

/** Whether anything is wider than the window. */
export function findOverflow() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.body.querySelectorAll('*')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
  );
  return [
    `${scrollWidth} px wide in ${clientWidth}: ${wide.map(({ outerHTML }) => outerHTML.slice(0, 100))}`,
  ];
}

/** Text that is cut off within its element. */
export function findClipped() {
  const cuts = (overflow) => overflow === 'hidden' || overflow === 'clip';
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.checkVisibility() && !element.closest('.unseen, select, textarea, .theirs'))
    .filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const isCutAcross = cuts(overflowX) && scrollWidth > clientWidth + 1;
      return isCutAcross || (cuts(overflowY) && scrollHeight > clientHeight + 1);
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 100));
}

/** Clickable elements must measure at least 44 pixels, except links within a sentence. */
export function findSmallTargets() {
  const wrong = [];
  for (const control of document.querySelectorAll(
    'a, button, input:not([type=hidden]), select, textarea, summary',
  )) {
    if (!control.checkVisibility()) continue;
    if (control.tagName === 'A' && getComputedStyle(control).display === 'inline') continue;
    const { width, height } = (control.closest('.tick, .pick') ?? control).getBoundingClientRect();
    if (width < 44 || height < 44) wrong.push(`${control.outerHTML.slice(0, 100)}: ${width} x ${height}`);
  }
  return wrong;
}

/**
 * An element with a flex or grid layout must not hold text beside an element: even an unseen one divides the text, and
 * each part becomes a column of its own.
 */
export function findTorn() {
  return [...document.body.querySelectorAll(':has(> *)')]
    .filter((element) => /(?:flex|grid)$/.test(getComputedStyle(element).display))
    .filter(({ childNodes }) => [...childNodes].some((part) => part.nodeName === '#text' && part.data.trim()))
    .map(({ outerHTML }) => outerHTML.slice(0, 100));
}

/** Text needs a contrast of 4.5 to its background, a field's border one of 3. */
export function findFaint() {
  const channels = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (front, back) => ({
    red: front.red * front.alpha + back.red * (1 - front.alpha),
    green: front.green * front.alpha + back.green * (1 - front.alpha),
    blue: front.blue * front.alpha + back.blue * (1 - front.alpha),
    alpha: 1,
  });
  const behind = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      layers.push(channels(getComputedStyle(at).backgroundColor));
    }
    return layers.reduceRight((back, front) => over(front, back), channels('rgb(255, 255, 255)'));
  };
  const light = ({ red, green, blue }) => {
    const linear = (value) =>
      value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const contrast = (front, back) => {
    const [darker, lighter] = [light(over(front, back)), light(back)].sort((one, other) => one - other);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const wrong = [];
  const look = (element, color, least, ground = behind(element)) => {
    const measured = contrast(channels(color), ground);
    if (measured < least) wrong.push(`${element.outerHTML.slice(0, 100)}: ${measured.toFixed(2)}`);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (!textContent.trim() || !parentElement.checkVisibility()) continue;
    look(parentElement, getComputedStyle(parentElement).color, 4.5);
  }
  for (const control of document.querySelectorAll(
    'input[type=text], input[type=email], select, textarea, .button.plain',
  )) {
    if (!control.checkVisibility()) continue;
    const { color, borderTopColor } = getComputedStyle(control);
    look(control, color, 4.5);
    look(control, borderTopColor, 3, behind(control.parentElement));
  }
  return wrong;
}

/**
 * The elements that the Tab key must reach, in order, as indexes among all elements; one for each group of
 * radio buttons.
 */
export function listStops() {
  const elements = [...document.querySelectorAll('*')];
  const stops = [];
  const groups = new Set();
  for (const control of document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
  )) {
    if (!control.checkVisibility()) continue;
    if (control.type === 'radio') {
      const group = [...document.querySelectorAll('input[type=radio]')].filter(
        ({ name }) => name === control.name,
      );
      const stop = group.find(({ checked }) => checked) ?? group[0];
      if (groups.has(control.name) || control !== stop) continue;
      groups.add(control.name);
    }
    stops.push(elements.indexOf(control));
  }
  return stops;
}

/** The focused element's index among all elements, and whether its focus is visible. */
export function whereFocusIs() {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const seen = [focused, focused.closest('.tick')].some((element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  });
  const { top, bottom } = focused.getBoundingClientRect();
  const at = [...document.querySelectorAll('*')].indexOf(focused);
  return { at, seen: seen && bottom > 0 && top < innerHeight, html: focused.outerHTML.slice(0, 100) };
}

/** Breaks a page's look, within what the style policy permits. */
export function spoil() {
  document.querySelector('p').style.width = '2000px';
  document.querySelector('.faint').style.color = '#bbb';
  document.querySelector('.button').style.display = 'inline-block';
  for (const button of document.querySelectorAll('.button:has(*)')) button.style.display = 'inline-flex';
}
