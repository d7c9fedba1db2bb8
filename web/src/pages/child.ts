import { who } from '../components/ai-name.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import {
  aiSwitch,
  answeredList,
  type Child,
  childAis,
  childFacts,
  type Dealing,
  dealingList,
  deletionOf,
} from './family.ts';

export type GuardianPlace = 'second' | 'instead';

export interface ChildPage {
  child: Child;
  values?: { guardian?: string; place?: GuardianPlace | undefined; name?: string };
  errors?: Errors<'guardian' | 'place' | 'name'>;
  /** The act that was just done, in words. */
  done?: Words | undefined;
  refused?: Piece | undefined;
}

const mostGuardians = 2;

/**
 * One child. Forms: `share` (yes, no) to paths.childAis(id); `name` to paths.childName(id); `group` (an address) to paths.childGroups(id); `guardian` (a handle) and `place` (second, instead) to
 * paths.childGuardian(id); nothing more to paths.endGuardianship(id) and paths.keepChild(id).
 */
export function childPage(frame: Frame, model: ChildPage): string {
  const { child, errors = {} } = model;
  const { name, handle } = child;
  const main = html`<p class="back"><a href="${paths.family}">Family</a></p>
<h1>${othersText(name)}</h1>
${actResult(model)}
${deletionOf(frame, child)}
<div class="card">
${who(name, html`<span class="address">@${handle}</span>`)}
${childFacts(child)}
</div>
${nameSection(frame, model)}
${aiSection(frame, child)}
${dealings(frame, child)}
${child.maySignIn && child.app === undefined && signInSection(child)}
${guardianSection(frame, model)}
${endSection(frame, child)}
${child.deletesAtMs === undefined && deleteSection(child)}`;
  return page(frame, { title: 'One of my children', main, here: 'family', hasErrors: hasErrors(errors) });
}

function nameSection(frame: Frame, { child, values, errors = {} }: ChildPage): Html {
  const value = values?.name ?? child.name;
  return html`<section class="card" aria-labelledby="names">
<h2 id="names">Name</h2>
${form(
  frame,
  { action: paths.childName(child.id) },
  html`${field({ name: 'name', label: 'Name', value, autocomplete: 'off', maxLength: 60, error: errors.name })}
<div class="actions">${button('Change the name', { kind: 'plain' })}</div>`,
)}
</section>`;
}

function aiSection(frame: Frame, child: Child): Html {
  const { name, aiShare, dealings } = child;
  return html`<section class="card" aria-labelledby="ais">
<h2 id="ais">AIs</h2>
<p>${
    aiShare
      ? html`You let AIs act for ${othersText(name)}: they may do what you allowed each of them, in the groups that ${othersText(name)} is in.`
      : html`No AI may act for ${othersText(name)}. AIs that are there already stand still.`
  }</p>
${dealings !== undefined && childAis(dealings.ais)}
<div class="actions">${aiSwitch(frame, child)}</div>
</section>`;
}

function takeOut(frame: Frame, { id, name }: Child, { address, name: group }: Dealing): Html {
  const words = html`Take out<span class="unseen">: ${othersText(name)}, of ${othersText(group)}</span>`;
  return form(
    frame,
    { action: paths.childGroups(id), carried: { group: address } },
    button(words, { kind: 'plain' }),
  );
}

function dealings(frame: Frame, child: Child): Html {
  const { app, dealings: found, name } = child;
  return html`<section class="card" aria-labelledby="groups">
<h2 id="groups">Groups</h2>
${found === undefined ? unknown : dealingList(frame, found.groups, 'since', 'In no group.', (group) => takeOut(frame, child, group))}
${app === undefined && html`<p class="soft">To join one, open its invite while you are signed in, and choose ${othersText(name)} there.</p>`}
</section>
<section class="card" aria-labelledby="contacts">
<h2 id="contacts">Whom they write with</h2>
${found === undefined ? unknown : dealingList(frame, found.contacts, 'last', 'No one yet.')}
<p class="soft">You see with whom, never what is written.</p>
</section>
<section class="card" aria-labelledby="answered">
<h2 id="answered">Answered for them</h2>
${found === undefined ? unknown : answeredList(frame, found.answered)}
</section>`;
}

const unknown = html`<p class="soft">This cannot be shown at the moment.</p>`;

function signInSection({ id, name, signsIn }: Child): Html {
  return html`<section class="card" aria-labelledby="sign-in">
<h2 id="sign-in">Sign-in</h2>
<p>${othersText(name)} ${signsIn ? 'signs in' : 'is old enough to sign in'} here with an e-mail address of their own.</p>
<div class="actions">${linkButton(signsIn ? 'Add another address' : 'Add a sign-in', paths.childSignIn(id))}</div>
</section>`;
}

function guardianSection(frame: Frame, { child, values, errors = {} }: ChildPage): Html {
  const { app, id, name, guardians } = child;
  const room = guardians.length < mostGuardians;
  return html`<section class="card" aria-labelledby="guardians">
<h2 id="guardians">Another guardian</h2>
<p>${app !== undefined && html`An adult of the app that holds ${othersText(name)}, or `}${app === undefined ? 'An adult' : 'a person'} who is in a group with you.</p>
${form(
  frame,
  { action: paths.childGuardian(id) },
  html`${field({
    name: 'guardian',
    label: 'Their address here',
    value: values?.guardian,
    autocomplete: 'off',
    maxLength: 40,
    prefix: '@',
    literal: true,
    error: errors.guardian,
  })}
${placeField(room, values?.place, errors.place)}
<div class="actions">${button('Name this guardian', { kind: 'plain' })}</div>`,
)}
</section>`;
}

/** A child who has two guardians can only be handed over. */
function placeField(room: boolean, place: GuardianPlace = 'second', error?: Words): Html {
  const handsOver = 'You see and settle nothing here any more, at once.';
  if (!room) {
    return html`<input type="hidden" name="place" value="instead">
${notice('care', 'They take your place', handsOver)}`;
  }
  return fieldset(
    { id: 'place', legend: 'Beside you, or in your place?', error },
    ticks([
      tick({
        kind: 'radio',
        name: 'place',
        value: 'second',
        label: 'Beside me',
        hint: 'Each of you can settle everything here.',
        ticked: place === 'second',
      }),
      tick({
        kind: 'radio',
        name: 'place',
        value: 'instead',
        label: 'In my place: I hand over',
        caution: handsOver,
        ticked: place === 'instead',
      }),
    ]),
  );
}

function endSection(frame: Frame, child: Child): Html {
  return html`<section class="card" aria-labelledby="end">
<h2 id="end">End your guardianship</h2>
${endWords(frame, child)}
</section>`;
}

function endWords(frame: Frame, { id, name, ageBand, guardians }: Child): Html {
  if (ageBand === 'child')
    return html`<p>Under 13 it cannot end: you can hand it over to another adult, above.</p>`;
  const mine = guardians.find(({ viewer }) => viewer);
  if (mine?.guardianSaidEnd === true) {
    return notice(
      'info',
      'You said that it shall end',
      html`It does once ${othersText(name)} says so too, or is 18.`,
    );
  }
  return html`<p>${
    mine?.childSaidEnd === true
      ? html`${othersText(name)} said that it shall end. If you say so too, it does at once.`
      : html`It ends when both ${othersText(name)} and you say so, or by itself at 18.`
  }</p>
${form(frame, { action: paths.endGuardianship(id) }, html`<div class="actions">${button('I say that it shall end', { kind: 'danger' })}</div>`)}`;
}

function deleteSection({ id, name }: Child): Html {
  return html`<section class="card" aria-labelledby="delete">
<h2 id="delete">Delete the account of ${othersText(name)}</h2>
<p>It can be taken back for a few days. The next page says what happens.</p>
<div class="actions">${linkButton('Delete the account', paths.deleteChild(id), 'danger')}</div>
</section>`;
}
