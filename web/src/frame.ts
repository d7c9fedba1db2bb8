import { type Language, type Text, t } from '@hearth/i18n';
import { type Asset, assets } from './assets.ts';
import { notice } from './components/notice.ts';
import { around, attributes, type Html, html, type Words } from './html.ts';
import { plainText } from './others-text.ts';
import { paths } from './paths.ts';

/** The surroundings of every page. */
export interface Frame {
  /** The reader's. */
  language: Language;
  /** The home's name, which is its host. */
  home: string;
  /** The CSRF token, in every form of the page as `csrf`. */
  csrf: string;
  /** The signed-in person. */
  person?: Viewer;
  /**
   * The number of requests that wait for the person, if counted; absent if pages link to neither requests nor
   * messages.
   */
  requests?: { waiting?: number | undefined };
  /** The number of the person's unread messages, if counted. */
  messages?: { unread?: number | undefined };
  /** IANA; the browser's time zone, if its script reported it. */
  zone?: string;
  /** Set for a viewer without a session, who opened the page by a link; the path of the sign-in. */
  byLink?: { signIn: string };
}

export interface Viewer {
  name: string;
  /** Without the @. */
  handle?: string;
  /** Joined with only a name, and has no sign-in yet. */
  guest?: boolean;
  /** Under 18, so cannot be a guardian. */
  minor?: boolean;
  /** IANA; the zone in which times are shown. */
  timeZone?: string;
  /** Whether the zone is the home's instead of their own choice; then the browser's takes precedence. */
  zoneAssumed?: boolean;
  /** Whether they operate this home. */
  operator?: boolean;
}

export interface PageParts {
  /** The page's subject; also its heading. */
  title: Words;
  main: Html;
  /** Puts "Error" first in the title, which screen readers read first. */
  hasErrors?: boolean;
  /** The current entry of the navigation. */
  here?: 'ais' | 'family' | 'groups' | 'me' | 'messages' | 'operator' | 'requests';
  /** For a single short question. */
  narrow?: boolean;
  /** Loads the passkey script. */
  script?: boolean;
  /** Loads a script of its own. */
  module?: Asset;
  /** How many things wait here; shown first in the title, where a browser's tab shows it. */
  waiting?: number;
}

/** A whole page. */
export function page(frame: Frame, parts: PageParts): string {
  const { title, main, hasErrors, here, narrow, script, module, waiting = 0 } = parts;
  const { csrf, home, person } = frame;
  const document = html`<!doctype html>
<html ${attributes({ lang: frame.language.tag, dir: frame.language.dir })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${t('frame.title', { errors: hasErrors ? 'yes' : 'other', waiting, title, home })}</title>
<link rel="stylesheet" href="${assets.stylesheet.path}">
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
${csrf !== '' && html`<script src="${assets.forms.path}" type="module" data-offline="${t('frame.offline')}"></script>`}
${script && html`<script src="${assets.script.path}" defer></script>`}
${module && html`<script src="${module.path}" type="module"></script>`}
</head>
<body>
<a class="skip" href="#main">${t('frame.skip')}</a>
<header class="top">
<div class="top-in">
<a class="home" href="${homeLink(frame).href}">${mark}<span class="home-name">${home}</span></a>
${person && (frame.byLink === undefined ? navigation(frame, person, here) : signInLink(frame.byLink.signIn))}
</div>
</header>
<main ${attributes({ id: 'main', tabindex: -1, class: narrow && 'narrow' })}>
${frame.byLink !== undefined && notice('info', t('frame.by-link'), t('frame.by-link-more'))}
${main}
</main>
<footer class="foot">
<p>${t('frame.foot', { home, link: around((inside) => html`<a href="${paths.front}">${inside}</a>`) })}</p>
</footer>
</body>
</html>
`;
  return document.in(frame.language);
}

/** Where this home starts: for signed-in people, their requests. */
export function homeLink({ person, byLink }: Frame): { words: Text; href: string } {
  return person === undefined || byLink !== undefined
    ? { words: t('frame.to-front'), href: paths.front }
    : { words: t('frame.to-requests'), href: paths.requests };
}

function navigation(frame: Frame, person: Viewer, here: PageParts['here']): Html {
  const { name, handle, guest, minor, operator } = person;
  const { messages, requests } = frame;
  const current = (place: PageParts['here']) => here === place && 'page';
  return html`<nav class="nav" aria-label="${t('frame.navigation')}">
${
  requests !== undefined &&
  html`<a ${attributes({ class: 'nav-link', href: paths.requests, 'aria-current': current('requests') })}>${t('frame.requests')}${countBadge(requests.waiting)}</a>
<a ${attributes({ class: 'nav-link', href: paths.messages, 'aria-current': current('messages') })}>${t('frame.messages')}${countBadge(messages?.unread, t('frame.unread'))}</a>`
}
<a ${attributes({ class: 'nav-link', href: paths.groups, 'aria-current': current('groups') })}>${t('frame.groups')}</a>
${!guest && html`<a ${attributes({ class: 'nav-link', href: paths.ais, 'aria-current': current('ais') })}>${t('frame.ais', { wide: around((inside) => html`<span class="on-desk">${inside}</span>`) })}</a>`}
${!guest && !minor && html`<a ${attributes({ class: 'nav-link', href: paths.family, 'aria-current': current('family') })}>${t('frame.family')}</a>`}
${operator && html`<a ${attributes({ class: 'nav-link', href: paths.operator, 'aria-current': current('operator') })}>${t('frame.operator')}</a>`}
<a ${attributes({ class: 'nav-link who', href: paths.me, 'aria-current': current('me') })}><span class="who-name"><bdi>${plainText(name, 24)}</bdi></span>${
    handle !== undefined && html` <span class="who-handle">@${plainText(handle, 32)}</span>`
  }${guest && html` <span class="who-handle">${t('common.guest')}</span>`}<span class="unseen">${t('frame.account')}</span></a>
${
  // Guests sign out on their account page, which warns that there is no way back; on narrow screens so do
  // others.
  !guest &&
  html`<form method="post" action="${paths.signOut}">${csrfField(frame)}<button class="nav-link" type="submit">${t('frame.sign-out')}</button></form>`
}
</nav>`;
}

function signInLink(href: string): Html {
  return html`<nav class="nav" aria-label="${t('frame.navigation')}"><a class="nav-link" href="${href}">${t('sign-in.title')}</a></nav>`;
}

/** A count, with its meaning for screen readers. */
export function countBadge(count: number | undefined, words: Words = t('frame.waiting')): Html | false {
  if (count === undefined || count === 0) return false;
  return html` <span class="count">${count}<span class="unseen"> ${words}</span></span>`;
}

/** The CSRF field; forms without it are refused. */
export function csrfField({ csrf }: Frame): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

const mark = html`<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false"><path class="mark-house" d="M16 2.5 29.5 14v13a2.5 2.5 0 0 1-2.5 2.5H5A2.5 2.5 0 0 1 2.5 27V14z"/><path class="mark-flame" d="M16.4 9c.6 3.4 5.6 6 5.6 11a6 6 0 0 1-12 0c0-2.4 1.3-4 2.5-5.3.3 1.5.9 2.3 1.9 2.8C13.9 14.5 14.5 11 16.4 9z"/></svg>`;
