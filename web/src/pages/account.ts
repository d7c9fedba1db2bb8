import { AGE_COPY, type AgeBand } from '../age-copy.ts';
import { pill, who } from '../components/ai-name.ts';
import { type AppAsk, appAskCard } from '../components/app-ask.ts';
import { waitingDeletion } from '../components/deletion.ts';
import { type Errors, field, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { calendarDay, day } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { timeZoneGroupsWith } from '../time-zones.ts';

export interface OwnPasskey {
  id: string;
  madeAtMs: number;
  /** YYYY-MM-DD */
  lastUsed?: string | undefined;
}

/** A browser or a program in which one is signed in. */
export interface OwnSession {
  id: string;
  /** "Firefox on Linux"; empty where nothing is known. */
  device: string;
  /** "203.0.113.0/24"; empty where nothing is known. */
  network: string;
  sinceMs: number;
  /** YYYY-MM-DD */
  lastUsed?: string | undefined;
  /** The one in front of the person. */
  current: boolean;
}

/** A guardian of a child, and the words of both about its end. */
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
  ageBand: AgeBand;
  guest: boolean;
  /** The name of the app that holds the account. */
  app?: string | undefined;
  /** Undefined when they could not be found out. */
  appsAsking: readonly AppAsk[] | undefined;
  /** How much waits for the person's word about their children. */
  familyWaits: number;
  email?: string | undefined;
  passkeys: readonly OwnPasskey[];
  sessions: readonly OwnSession[];
  /** Where one goes to make a passkey; undefined where this home takes none. */
  newPasskey: string | undefined;
  /** Every so many days a handle can change; so many days the old one leads on. */
  handleDays: number;
  oldHandleDays: number;
  /** From when on the handle can be changed again; undefined when it can be now. */
  handleChangesFromMs?: number | undefined;
  /** The guardians of a person under 18. */
  guardians: readonly Guardianship[];
  /** Whether AIs may act for a person under 18. */
  aiShare: boolean;
  deletesAtMs?: number | undefined;
  values?: { name: string; handle?: string | undefined; time_zone: string };
  errors?: Errors<'name' | 'handle' | 'time_zone'>;
  /** The notice of an act that was just done. */
  done?: Piece;
  /** The groups that they organize: handles without the &. */
  organizes?: readonly { handle: string; name: string }[] | undefined;
}

/**
 * My own account. Forms: `name`, `handle` (while it can change), `time_zone` to paths.me; `answer` to
 * paths.appAsk(app); nothing more to paths.keepMe, paths.endMyGuardianship, paths.endSession(id) and paths.signOut.
 */
export function accountPage(frame: Frame, model: Account): string {
  const { deletesAtMs, done, errors = {}, guardians } = model;
  const main = html`<h1>Your account</h1>
${errorSummary(errors)}
${done && notice('good', done)}
${deletesAtMs !== undefined && waitingDeletion(frame, { subject: 'Your account', deletesAtMs, keep: mayEnd(model) ? { action: paths.keepMe, words: 'Keep my account' } : undefined })}
${asks(frame, model)}
${aboutMe(frame, model)}
${signIns(frame, model)}
${sessionSection(frame, model)}
${(guardians.length > 0 || model.ageBand !== 'adult') && guardianSection(frame, model)}
${otherThings(model)}
${signOutSection(frame, model)}
${deletesAtMs === undefined && deleteSection(model)}`;
  return page(frame, { title: 'Your account', main, here: 'me', hasErrors: hasErrors(errors) });
}

/** Whoever is under 13 has a guardian for this. */
function mayEnd({ ageBand }: Account): boolean {
  return ageBand !== 'child';
}

function asks(frame: Frame, { appsAsking, familyWaits, app }: Account): Html {
  const inFamily = familyWaits === 1 ? 'One thing waits' : `${familyWaits} things wait`;
  return html`${familyWaits > 0 && notice('info', html`${inFamily} for your word in <a href="${paths.family}">your family</a>`)}
${appsAsking === undefined && notice('care', 'Whether an app asks to hold your account cannot be shown at the moment')}
${
  appsAsking !== undefined &&
  appsAsking.length > 0 &&
  html`<section aria-labelledby="asks">
<h2 id="asks">Waits for your answer</h2>
<ul class="cards">${appsAsking.map((ask) => appAskCard(frame, { ask, action: paths.appAsk(ask.app), heldBy: app }))}</ul>
</section>`
}`;
}

function aboutMe(frame: Frame, model: Account): Html {
  const { name, handle, ageBand, guest, app, errors = {} } = model;
  const { person, zone } = frame;
  const timeZone = person?.zoneAssumed ? (zone ?? model.timeZone) : model.timeZone;
  const values = model.values ?? { name, handle, time_zone: timeZone };
  return html`<section class="card" aria-labelledby="about-me">
<h2 id="about-me">Who you are here</h2>
${who(name, html`<span class="address">@${handle}</span>`, guest && pill('guest', 'care'))}
<dl class="facts">
<div><dt>From other homes</dt><dd><span class="address">${handle}@${frame.home}</span></dd></div>
${ageBand !== 'adult' && html`<div><dt>Age</dt><dd>${AGE_COPY[ageBand]}</dd></div>`}
<div><dt>Held by</dt><dd>${app === undefined ? 'no app' : html`${othersText(app)}, an app that may act for you here. ${endHold(model)}`}</dd></div>
</dl>
${form(
  frame,
  { action: paths.me },
  html`${field({
    name: 'name',
    label: 'Name',
    value: values.name,
    autocomplete: 'name',
    maxLength: 60,
    hint: frame.person?.minor
      ? 'People in your groups see it shortened.'
      : 'As people in your groups see it.',
    error: errors.name,
  })}
${handleField(frame, model, values.handle)}
${select({
  name: 'time_zone',
  label: 'Time zone',
  groups: timeZoneGroupsWith(timeZone),
  value: values.time_zone,
  empty: 'Choose a city near you',
  hint: 'Times are shown to you in it.',
  error: errors.time_zone,
})}
<div class="actions">${button('Save')}</div>`,
)}
</section>`;
}

/** A child's guardian ends it, by the API. */
function endHold({ guest, ageBand }: Account): Html {
  if (ageBand === 'child') return html``;
  return guest
    ? html`You can end that once you have <a href="${paths.addSignIn}">a sign-in of your own</a>.`
    : html`<a href="${paths.leaveApp}">End that</a>`;
}

function handleField(frame: Frame, model: Account, value: string | undefined): Html {
  const { handle, handleDays, oldHandleDays, handleChangesFromMs, errors = {} } = model;
  if (handleChangesFromMs !== undefined) {
    return html`<div class="field"><p class="label">Your address here</p>
<p class="hint"><span class="address">@${handle}</span> can be changed again from ${day(frame, handleChangesFromMs)} on: an address changes once in ${handleDays} days.</p></div>`;
  }
  return field({
    name: 'handle',
    label: 'Your address here',
    value: value ?? handle,
    autocomplete: 'off',
    maxLength: 31,
    prefix: '@',
    literal: true,
    hint: `Small letters, digits and hyphens, at least three. It can be changed once in ${handleDays} days; the old one leads to you for ${oldHandleDays} more.`,
    error: errors.handle,
  });
}

function signIns(frame: Frame, { guest, email, passkeys, newPasskey }: Account): Html {
  if (guest) {
    return html`<section class="card" aria-labelledby="sign-ins">
<h2 id="sign-ins">How you sign in</h2>
${notice('care', 'This browser alone knows you', 'You joined with a name. Add a sign-in, so that you can come back from anywhere.')}
<div class="actions">${linkButton('Add a sign-in', paths.addSignIn, 'main')}</div>
</section>`;
  }
  return html`<section class="card" aria-labelledby="sign-ins">
<h2 id="sign-ins">How you sign in</h2>
<ul class="log">
${email !== undefined && html`<li><span class="log-words break">E-mail to ${othersText(email, 254)}</span></li>`}
${passkeys.map(
  (
    { id, madeAtMs, lastUsed },
    index,
  ) => html`<li><span class="log-words">Passkey, made ${day(frame, madeAtMs)}</span>
<span class="log-time">${lastUsed === undefined ? 'not used yet' : html`last used ${calendarDay(lastUsed)}`}</span>
${(email !== undefined || passkeys.length > 1) && html`<a class="quiet-link" href="${paths.removePasskey(id)}" aria-label="Remove passkey ${index + 1}">Remove</a>`}</li>`,
)}
${email === undefined && passkeys.length === 0 && html`<li><span class="log-words">Through the app that holds your account</span></li>`}
</ul>
<div class="actions">
${newPasskey !== undefined && linkButton('Add a passkey', newPasskey)}
${linkButton(email === undefined ? 'Add an e-mail address' : 'Use another e-mail address', paths.addSignIn)}
</div>
</section>`;
}

function sessionSection(frame: Frame, { sessions }: Account): Html {
  const others = sessions.filter(({ current }) => !current).length;
  return html`<section class="card" aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<ul class="log">
${sessions.map((session) => sessionRow(frame, session))}
</ul>
<p class="hint">Do you not know one of them? End it, and change how you sign in.</p>
${others > 1 && form(frame, { action: paths.endSession('others') }, html`<div class="actions">${button('End all others', { kind: 'danger' })}</div>`)}
</section>`;
}

function sessionRow(frame: Frame, { id, device, network, sinceMs, lastUsed, current }: OwnSession): Html {
  const words = device === '' ? 'A browser or program' : device;
  const end = form(
    frame,
    { action: paths.endSession(id), label: `End: ${words}` },
    button('End', { kind: 'plain' }),
  );
  return html`<li><span class="log-words break">${othersText(words, 80)}${network !== '' && html` <span class="soft">from network ${network}</span>`}</span>
<span class="log-time">since ${day(frame, sinceMs)}${!current && html`, ${lastUsed === undefined ? 'not used since' : html`last used ${calendarDay(lastUsed)}`}`}</span>
${current ? pill('this one', 'good') : end}</li>`;
}

function guardianSection(frame: Frame, { ageBand, guardians, aiShare }: Account): Html {
  return html`<section class="card" aria-labelledby="guardian">
<h2 id="guardian">${guardians.length > 1 ? 'Your guardians' : 'Your guardian'}</h2>
${guardians.length === 0 && html`<p>No adult is your guardian here.</p>`}
${guardians.map(({ name, address }) => who(name, html`<span class="address">${address}</span>`))}
${guardians.length > 0 && html`<p>A guardian sees your groups and whom you write with, never what you write. They ${aiShare ? 'let AIs act for you' : 'do not let AIs act for you'}.</p>`}
${guardians.length > 0 && myWord(frame, ageBand, guardians)}
</section>`;
}

function myWord(frame: Frame, ageBand: AgeBand, guardians: readonly Guardianship[]): Html {
  if (ageBand === 'child') return html`<p class="soft">From 13 on you can say that it shall end.</p>`;
  if (guardians.every(({ childSaidEnd }) => childSaidEnd)) {
    const missing = guardians.filter(({ guardianSaidEnd }) => !guardianSaidEnd);
    return notice(
      'info',
      'You said that it shall end',
      html`It does once ${names(missing)} ${missing.length > 1 ? 'say' : 'says'} so too, or when you are 18.`,
    );
  }
  const said = guardians.filter(({ guardianSaidEnd }) => guardianSaidEnd);
  return html`${
    said.length > 0
      ? html`<p>${names(said)} said that it shall end. If you say so too, it does at once.</p>`
      : html`<p>It ends when both of you say so, or when you are 18.</p>`
  }
${form(frame, { action: paths.endMyGuardianship }, html`<div class="actions">${button('I say that it shall end', { kind: 'danger' })}</div>`)}`;
}

function names(guardians: readonly Guardianship[]): Piece {
  return guardians.map(({ name }, index) => html`${index > 0 && ' and '}${othersText(name)}`);
}

function otherThings({ ageBand, guest, organizes = [] }: Account): Html {
  return html`<section class="card" aria-labelledby="others">
<h2 id="others">What else is yours</h2>
<ul class="ways">
${!guest && html`<li><a href="${paths.ais}">Connected AIs</a> <span class="soft">Who may act for you, and what they may do.</span></li>`}
<li><a href="${paths.groups}">Groups</a> <span class="soft">Those that you are in, and where you make one.</span></li>
${organizes.map(
  ({ handle, name }) =>
    html`<li><a href="${paths.groupInvites(handle)}"><span>Invites into ${othersText(name)}</span></a> <span class="soft">A group that you organize.</span></li>`,
)}
${ageBand === 'adult' && !guest && html`<li><a href="${paths.family}">Family</a> <span class="soft">The children whom you look after.</span></li>`}
</ul>
</section>`;
}

function signOutSection(frame: Frame, { guest }: Account): Html {
  return html`<section class="card" aria-labelledby="sign-out">
<h2 id="sign-out">Sign out</h2>
<p>${guest ? 'You have no sign-in yet: once you are out, you cannot come back into this account.' : 'From this browser. Others stay signed in.'}</p>
${form(frame, { action: paths.signOut }, html`<div class="actions">${button(guest ? 'Sign out for good' : 'Sign out', { kind: guest ? 'danger' : 'plain' })}</div>`)}
</section>`;
}

function deleteSection(model: Account): Html {
  return html`<section class="card" aria-labelledby="delete">
<h2 id="delete">Delete your account</h2>
${
  mayEnd(model)
    ? html`<p>You can take it back for a few days. The next page says what happens.</p>
<div class="actions">${linkButton('Delete my account', paths.deleteMe, 'danger')}</div>`
    : html`<p>Your guardian can do this, or the app that holds your account.</p>`
}
</section>`;
}

/** Is it meant? Form: nothing more to paths.removePasskey(id). */
export function removePasskeyPage(frame: Frame, { id, madeAtMs, lastUsed }: OwnPasskey): string {
  const title = 'Remove this passkey?';
  const main = html`<h1>${title}</h1>
<div class="card">
<p>It was made ${day(frame, madeAtMs)}, and ${lastUsed === undefined ? 'not used yet' : html`used last ${calendarDay(lastUsed)}`}. It will not sign in any more, and you are signed out everywhere but here.</p>
${form(
  frame,
  { action: paths.removePasskey(id) },
  html`<div class="actions">${button('Remove it', { kind: 'danger' })}${linkButton('Keep it', paths.me)}</div>`,
)}
</div>`;
  return page(frame, { title, main, narrow: true });
}

/** Is it meant? Form: nothing more to paths.leaveApp. */
export function leaveAppPage(frame: Frame, { app }: { app: string }): string {
  const title = 'End the hold of the app?';
  const main = html`<h1>${title}</h1>
<div class="card">
<p>${othersText(app)} holds your account. Once you end that, it can do nothing for you here any more, and your own sign-in counts. What it did stays.</p>
${form(
  frame,
  { action: paths.leaveApp },
  html`<div class="actions">${button('End it', { kind: 'danger' })}${linkButton('Keep it', paths.me)}</div>`,
)}
</div>`;
  return page(frame, { title, main, narrow: true });
}
