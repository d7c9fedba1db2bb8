import { listed, type Text, t, verbatim } from '@hearth/i18n';
import { AGE_COPY, type AgeBand } from '../age-copy.ts';
import { pill, who } from '../components/ai-name.ts';
import { type AppAsk, appAskCard } from '../components/app-ask.ts';
import { waitingDeletion } from '../components/deletion.ts';
import { type Errors, field, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { linkTo } from '../components/link.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { calendarDay, day, usedWords } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Words } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { timeZoneGroupsWith } from '../time-zones.ts';

export interface OwnPasskey {
  id: string;
  madeAtMs: number;
  /** YYYY-MM-DD */
  lastUsed?: string | undefined;
}

/** A browser or program with access to the account. */
export interface OwnSession {
  id: string;
  /** "Firefox on Linux"; empty if unknown. */
  device: string;
  /** "203.0.113.0/24"; empty if unknown. */
  network: string;
  sinceMs: number;
  /** YYYY-MM-DD */
  lastUsed?: string | undefined;
  /** The session of this request. */
  current: boolean;
}

/** A guardian of the account's owner, and which of the two asked to end the guardianship. */
export interface Guardianship {
  name: string;
  address: string;
  childSaidEnd: boolean;
  guardianSaidEnd: boolean;
}

export interface Account {
  name: string;
  /** Without the @. */
  handle: string;
  /** IANA */
  timeZone: string;
  /** BCP 47; empty for the browser's. */
  language: string;
  /** The languages (BCP 47) to choose from. */
  languages: readonly string[];
  ageBand: AgeBand;
  guest: boolean;
  /** The name of the app that acts for the account. */
  app?: string | undefined;
  /** Undefined if they could not be loaded. */
  appsAsking: readonly AppAsk[] | undefined;
  /** The number of requests about the person's children that need an answer. */
  familyWaits: number;
  email?: string | undefined;
  passkeys: readonly OwnPasskey[];
  sessions: readonly OwnSession[];
  /** The page that creates a passkey; undefined if this home takes none. */
  newPasskey: string | undefined;
  /** Days between two changes of the handle, and days for which the old handle still leads here. */
  handleDays: number;
  oldHandleDays: number;
  /** The earliest next change of the handle; undefined if it can change now. */
  handleChangesFromMs?: number | undefined;
  /** The guardians of a person under 18. */
  guardians: readonly Guardianship[];
  /** Whether AIs may act for a person under 18. */
  aiShare: boolean;
  deletesAtMs?: number | undefined;
  values?: { name: string; handle?: string | undefined; time_zone: string; language: string };
  errors?: Errors<'name' | 'handle' | 'time_zone' | 'language'>;
  /** The notice about a finished act. */
  done?: Words | undefined;
  /** The groups that the person organizes; handles without the &. */
  organizes?: readonly { handle: string; name: string }[] | undefined;
}

/**
 * The viewer's own account. Forms: `name`, `handle` (while it can change), `time_zone`, `language` (if there is a
 * choice) to paths.me; `answer` to paths.appAsk(app); without fields to paths.keepMe, paths.endMyGuardianship,
 * paths.endSession(id) and paths.signOut.
 */
export function accountPage(frame: Frame, model: Account): string {
  const { deletesAtMs, done, errors = {}, guardians } = model;
  const main = html`<h1>${t('account.title')}</h1>
${actResult({ errors, done })}
${deletesAtMs !== undefined && waitingDeletion(frame, { deletesAtMs, keep: mayEnd(model) ? paths.keepMe : undefined })}
${asks(frame, model)}
${aboutMe(frame, model)}
${signIns(frame, model)}
${sessionSection(frame, model)}
${(guardians.length > 0 || model.ageBand !== 'adult') && guardianSection(frame, model)}
${otherThings(model)}
${signOutSection(frame, model)}
${deletesAtMs === undefined && deleteSection(model)}`;
  return page(frame, { title: t('account.title'), main, here: 'me', hasErrors: hasErrors(errors) });
}

/** The guardian of a child under 13 decides this. */
function mayEnd({ ageBand }: Account): boolean {
  return ageBand !== 'child';
}

function asks(frame: Frame, { appsAsking, familyWaits, app }: Account): Html {
  return html`${familyWaits > 0 && notice('info', t('account.family-waits', { count: familyWaits, link: linkTo(paths.family) }))}
${appsAsking === undefined && notice('care', t('account.apps-unknown'))}
${
  appsAsking !== undefined &&
  appsAsking.length > 0 &&
  html`<section aria-labelledby="asks">
<h2 id="asks">${t('account.asks')}</h2>
<ul class="cards">${appsAsking.map((ask) => appAskCard(frame, { ask, action: paths.appAsk(ask.app), heldBy: app }))}</ul>
</section>`
}`;
}

function aboutMe(frame: Frame, model: Account): Html {
  const { name, handle, ageBand, guest, errors = {} } = model;
  const { person, zone } = frame;
  const timeZone = person?.zoneAssumed ? (zone ?? model.timeZone) : model.timeZone;
  const values = model.values ?? { name, handle, time_zone: timeZone, language: model.language };
  return html`<section class="card" aria-labelledby="about-me">
<h2 id="about-me">${t('account.details')}</h2>
${who(name, html`<span class="address">@${handle}</span>`, guest && pill(t('common.guest'), 'care'))}
<dl class="facts">
<div><dt>${t('account.elsewhere')}</dt><dd><span class="address">${handle}@${frame.home}</span></dd></div>
${ageBand !== 'adult' && html`<div><dt>${t('account.age')}</dt><dd>${AGE_COPY[ageBand]}</dd></div>`}
<div><dt>${t('account.held')}</dt><dd>${heldBy(model)}</dd></div>
</dl>
${form(
  frame,
  { action: paths.me },
  html`${field({
    name: 'name',
    label: t('account.name'),
    value: values.name,
    autocomplete: 'name',
    maxLength: 60,
    hint: frame.person?.minor ? t('account.name-hint-minor') : t('sign-in.name-hint'),
    error: errors.name,
  })}
${handleField(frame, model, values.handle)}
${select({
  name: 'time_zone',
  label: t('time-zones.label'),
  groups: timeZoneGroupsWith(timeZone),
  value: values.time_zone,
  empty: t('time-zones.choose'),
  hint: t('time-zones.hint'),
  error: errors.time_zone,
})}
${languageField(model, values.language)}
<div class="actions">${button(t('common.save'))}</div>`,
)}
</section>`;
}

/** The app that acts for the account, with the link that ends its access. A child's guardian ends it through the API. */
function heldBy({ app, guest, ageBand }: Account): Text {
  if (app === undefined) return t('account.held-none');
  return t('account.held-by', {
    app: othersText(app),
    end: ageBand === 'child' ? 'other' : guest ? 'guest' : 'yes',
    leave: linkTo(paths.leaveApp),
    add: linkTo(paths.addSignIn),
  });
}

function handleField(frame: Frame, model: Account, value: string | undefined): Html {
  const { handle, handleDays, oldHandleDays, handleChangesFromMs, errors = {} } = model;
  if (handleChangesFromMs !== undefined) {
    return html`<div class="field"><p class="label">${t('sign-in.handle')}</p>
<p class="hint">${t('account.handle-later', {
      handle: html`<span class="address">@${handle}</span>`,
      from: day(frame, handleChangesFromMs),
      days: handleDays,
    })}</p></div>`;
  }
  return field({
    name: 'handle',
    label: t('sign-in.handle'),
    value: value ?? handle,
    autocomplete: 'off',
    maxLength: 31,
    prefix: '@',
    literal: true,
    hint: t('account.handle-hint', { days: handleDays, old: oldHandleDays }),
    error: errors.handle,
  });
}

function languageField({ language, languages, errors = {} }: Account, value: string): Html | false {
  const tags = language === '' || languages.includes(language) ? languages : [...languages, language];
  if (tags.length < 2) return false;
  return select({
    name: 'language',
    label: t('account.language'),
    groups: [
      {
        choices: [
          { value: '', words: t('account.language-browser') },
          ...tags.map((tag) => ({ value: tag, words: verbatim(nameInItself(tag)), lang: tag })),
        ],
      },
    ],
    value,
    hint: t('account.language-hint'),
    error: errors.language,
  });
}

/** The name of a language as its speakers write it. */
function nameInItself(tag: string): string {
  return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
}

function signIns(frame: Frame, { guest, email, passkeys, newPasskey }: Account): Html {
  if (guest) {
    return html`<section class="card" aria-labelledby="sign-ins">
<h2 id="sign-ins">${t('account.sign-ins')}</h2>
${notice('care', t('account.browser-only'), t('account.browser-only-more'))}
<div class="actions">${linkButton(t('sign-in.own'), paths.addSignIn, 'main')}</div>
</section>`;
  }
  return html`<section class="card" aria-labelledby="sign-ins">
<h2 id="sign-ins">${t('account.sign-ins')}</h2>
<ul class="log">
${email !== undefined && html`<li><span class="log-words break">${t('account.by-email', { email: othersText(email, 254) })}</span></li>`}
${passkeys.map(
  (
    { id, madeAtMs, lastUsed },
    index,
  ) => html`<li><span class="log-words">${t('account.passkey', { day: day(frame, madeAtMs) })}</span>
<span class="log-time">${usedWords(lastUsed)}</span>
${(email !== undefined || passkeys.length > 1) && html`<a class="quiet-link" href="${paths.removePasskey(id)}" aria-label="${t('account.passkey-remove-number', { number: index + 1 })}">${t('common.remove')}</a>`}</li>`,
)}
${email === undefined && passkeys.length === 0 && html`<li><span class="log-words">${t('account.by-app')}</span></li>`}
</ul>
<div class="actions">
${newPasskey !== undefined && linkButton(t('account.passkey-add'), newPasskey)}
${linkButton(email === undefined ? t('account.email-add') : t('account.email-change'), paths.addSignIn)}
</div>
</section>`;
}

function sessionSection(frame: Frame, { sessions }: Account): Html {
  const others = sessions.filter(({ current }) => !current).length;
  return html`<section class="card" aria-labelledby="sessions">
<h2 id="sessions">${t('account.sessions')}</h2>
<ul class="log">
${sessions.map((session) => sessionRow(frame, session))}
</ul>
<p class="hint">${t('account.sessions-hint')}</p>
${others > 1 && form(frame, { action: paths.endSession('others') }, html`<div class="actions">${button(t('account.sessions-end'), { kind: 'danger' })}</div>`)}
</section>`;
}

function sessionRow(frame: Frame, { id, device, network, sinceMs, lastUsed, current }: OwnSession): Html {
  const name = device === '' ? t('account.session-unknown') : plainText(device, 80);
  const end = form(
    frame,
    { action: paths.endSession(id), label: t('account.session-end-of', { device: name }) },
    button(t('frame.sign-out'), { kind: 'plain' }),
  );
  const since = { day: day(frame, sinceMs) };
  const used = current
    ? t('account.session-since', since)
    : lastUsed === undefined
      ? t('account.session-unused', since)
      : t('account.session-used', { ...since, used: calendarDay(lastUsed) });
  return html`<li><span class="log-words break">${device === '' ? name : othersText(device, 80)}${network !== '' && html` <span class="soft">${t('account.session-network', { network: html`<bdi dir="ltr">${network}</bdi>` })}</span>`}</span>
<span class="log-time">${used}</span>
${current ? pill(t('account.session-current'), 'good') : end}</li>`;
}

function guardianSection(frame: Frame, { ageBand, guardians, aiShare }: Account): Html {
  return html`<section class="card" aria-labelledby="guardian">
<h2 id="guardian">${t('account.guardian', { count: guardians.length })}</h2>
${guardians.length === 0 && html`<p>${t('account.guardian-none')}</p>`}
${guardians.map(({ name, address }) => who(name, html`<span class="address">${address}</span>`))}
${guardians.length > 0 && html`<p>${t('account.guardian-sees', { count: guardians.length, ais: aiShare ? 'yes' : 'other' })}</p>`}
${guardians.length > 0 && guardianshipEnd(frame, ageBand, guardians)}
</section>`;
}

/** How the guardianship ends, with the form by which a teenager requests it. */
function guardianshipEnd(frame: Frame, ageBand: AgeBand, guardians: readonly Guardianship[]): Html {
  if (ageBand === 'child') return html`<p class="soft">${t('account.guardian-end-at-13')}</p>`;
  if (guardians.every(({ childSaidEnd }) => childSaidEnd)) {
    const missing = guardians.filter(({ guardianSaidEnd }) => !guardianSaidEnd);
    return notice(
      'info',
      t('account.guardian-end-asked'),
      t('account.guardian-end-asked-more', { names: namesOf(missing), count: missing.length }),
    );
  }
  const said = guardians.filter(({ guardianSaidEnd }) => guardianSaidEnd);
  return html`${
    said.length > 0
      ? html`<p>${t('account.guardian-end-wanted', { names: namesOf(said), count: said.length })}</p>`
      : html`<p>${t('account.guardian-end-how')}</p>`
  }
${form(frame, { action: paths.endMyGuardianship }, html`<div class="actions">${button(said.length > 0 ? t('account.guardian-end') : t('account.guardian-end-ask'), { kind: 'danger' })}</div>`)}`;
}

const namesOf = (guardians: readonly Guardianship[]): Text =>
  listed(guardians.map(({ name }) => othersText(name)));

function otherThings({ ageBand, guest, organizes = [] }: Account): Html {
  return html`<section class="card" aria-labelledby="others">
<h2 id="others">${t('account.more')}</h2>
<ul class="ways">
${!guest && html`<li><a href="${paths.ais}">${t('ais.title')}</a> <span class="soft">${t('account.ais-more')}</span></li>`}
<li><a href="${paths.groups}">${t('frame.groups')}</a> <span class="soft">${t('account.groups-more')}</span></li>
${organizes.map(
  ({ handle, name }) =>
    html`<li><a href="${paths.groupInvites(handle)}"><span>${t('account.invites', { group: othersText(name) })}</span></a> <span class="soft">${t('account.invites-more')}</span></li>`,
)}
${ageBand === 'adult' && !guest && html`<li><a href="${paths.family}">${t('frame.family')}</a> <span class="soft">${t('account.family-more')}</span></li>`}
</ul>
</section>`;
}

function signOutSection(frame: Frame, { guest }: Account): Html {
  return html`<section class="card" aria-labelledby="sign-out">
<h2 id="sign-out">${t('frame.sign-out')}</h2>
<p>${guest ? t('account.sign-out-guest') : t('account.sign-out-browser')}</p>
${form(frame, { action: paths.signOut }, html`<div class="actions">${button(guest ? t('account.sign-out-for-good') : t('frame.sign-out'), { kind: guest ? 'danger' : 'plain' })}</div>`)}
</section>`;
}

function deleteSection(model: Account): Html {
  return html`<section class="card" aria-labelledby="delete">
<h2 id="delete">${t('deletion.section')}</h2>
${
  mayEnd(model)
    ? html`<p>${t('deletion.section-more')}</p>
<div class="actions">${linkButton(t('deletion.start'), paths.deleteMe, 'danger')}</div>`
    : html`<p>${t('deletion.section-child')}</p>`
}
</section>`;
}

/** Asks for confirmation. Form without fields to paths.removePasskey(id). */
export function removePasskeyPage(frame: Frame, { id, madeAtMs, lastUsed }: OwnPasskey): string {
  const title = t('account.passkey-remove');
  const main = html`<h1>${title}</h1>
<div class="card">
<p>${t('account.passkey-remove-more', { created: day(frame, madeAtMs), used: usedWords(lastUsed) })}</p>
${form(
  frame,
  { action: paths.removePasskey(id) },
  html`<div class="actions">${button(t('common.remove'), { kind: 'danger' })}${linkButton(t('common.cancel'), paths.me)}</div>`,
)}
</div>`;
  return page(frame, { title, main, narrow: true });
}

/** Asks for confirmation. Form without fields to paths.leaveApp. */
export function leaveAppPage(frame: Frame, { app }: { app: string }): string {
  const title = t('account.app-leave');
  const main = html`<h1>${title}</h1>
<div class="card">
<p>${t('account.app-leave-more', { app: othersText(app) })}</p>
${form(
  frame,
  { action: paths.leaveApp },
  html`<div class="actions">${button(t('account.app-leave-do'), { kind: 'danger' })}${linkButton(t('common.cancel'), paths.me)}</div>`,
)}
</div>`;
  return page(frame, { title, main, narrow: true });
}
