import { t } from '@hearth/i18n';
import { who } from '../components/ai-name.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, unseen, type Words } from '../html.ts';
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
  /** The notice of the act that was just done. */
  done?: Words | undefined;
  refused?: Piece | undefined;
}

const mostGuardians = 2;

/**
 * A child. Forms: `share` (yes, no) to paths.childAis(id); `name` to paths.childName(id); `group` (an
 * address) to paths.childGroups(id); `guardian` (a handle) and `place` (second, instead) to
 * paths.childGuardian(id); without fields to paths.endGuardianship(id) and paths.keepChild(id).
 */
export function childPage(frame: Frame, model: ChildPage): string {
  const { child, errors = {} } = model;
  const { name, handle } = child;
  const main = html`<p class="back"><a href="${paths.family}">${t('family.title')}</a></p>
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
  return page(frame, { title: t('family.page'), main, here: 'family', hasErrors: hasErrors(errors) });
}

function nameSection(frame: Frame, { child, values, errors = {} }: ChildPage): Html {
  const value = values?.name ?? child.name;
  return html`<section class="card" aria-labelledby="names">
<h2 id="names">${t('family.name')}</h2>
${form(
  frame,
  { action: paths.childName(child.id) },
  html`${field({ name: 'name', label: t('family.name'), value, autocomplete: 'off', maxLength: 60, error: errors.name })}
<div class="actions">${button(t('family.change-name'), { kind: 'plain' })}</div>`,
)}
</section>`;
}

function aiSection(frame: Frame, child: Child): Html {
  const { name, aiShare, dealings } = child;
  return html`<section class="card" aria-labelledby="ais">
<h2 id="ais">${t('family.ais')}</h2>
<p>${aiShare ? t('family.ais-on-lead', { name: othersText(name) }) : t('family.ais-off-lead', { name: othersText(name) })}</p>
${dealings !== undefined && childAis(dealings.ais)}
<div class="actions">${aiSwitch(frame, child)}</div>
</section>`;
}

function takeOut(frame: Frame, { id, name }: Child, { address, name: group }: Dealing): Html {
  const words = t('family.remove-from-group', { unseen, name: othersText(name), group: othersText(group) });
  return form(
    frame,
    { action: paths.childGroups(id), carried: { group: address } },
    button(words, { kind: 'plain' }),
  );
}

function dealings(frame: Frame, child: Child): Html {
  const { app, dealings: found, name } = child;
  return html`<section class="card" aria-labelledby="groups">
<h2 id="groups">${t('family.groups')}</h2>
${
  found === undefined
    ? unknown
    : dealingList(
        frame,
        found.groups,
        (since) => t('family.since', { day: since }),
        t('family.in-no-group'),
        (group) => takeOut(frame, child, group),
      )
}
${app === undefined && html`<p class="soft">${t('family.how-to-join', { name: othersText(name) })}</p>`}
</section>
<section class="card" aria-labelledby="contacts">
<h2 id="contacts">${t('family.contacts')}</h2>
${found === undefined ? unknown : dealingList(frame, found.contacts, (last) => t('family.last', { day: last }), t('family.no-contacts'))}
<p class="soft">${t('family.contacts-hint')}</p>
</section>
<section class="card" aria-labelledby="answered">
<h2 id="answered">${t('family.answers')}</h2>
${found === undefined ? unknown : answeredList(frame, found.answered)}
</section>`;
}

const unknown = html`<p class="soft">${t('common.not-shown')}</p>`;

function signInSection({ id, name, signsIn }: Child): Html {
  return html`<section class="card" aria-labelledby="sign-in">
<h2 id="sign-in">${t('family.sign-in')}</h2>
<p>${signsIn ? t('family.sign-in-has', { name: othersText(name) }) : t('family.sign-in-can', { name: othersText(name) })}</p>
<div class="actions">${linkButton(signsIn ? t('family.sign-in-more') : t('sign-in.own'), paths.childSignIn(id))}</div>
</section>`;
}

function guardianSection(frame: Frame, { child, values, errors = {} }: ChildPage): Html {
  const { app, id, name, guardians } = child;
  const room = guardians.length < mostGuardians;
  return html`<section class="card" aria-labelledby="guardians">
<h2 id="guardians">${t('family.guardian')}</h2>
<p>${app === undefined ? t('family.guardian-lead') : t('family.guardian-lead-app', { name: othersText(name) })}</p>
${form(
  frame,
  { action: paths.childGuardian(id) },
  html`${field({
    name: 'guardian',
    label: t('family.guardian-address'),
    value: values?.guardian,
    autocomplete: 'off',
    maxLength: 40,
    prefix: '@',
    literal: true,
    error: errors.guardian,
  })}
${placeField(room, values?.place, errors.place)}
<div class="actions">${button(t('family.guardian-button'), { kind: 'plain' })}</div>`,
)}
</section>`;
}

/** A child with two guardians can only be handed over. */
function placeField(room: boolean, place: GuardianPlace = 'second', error?: Words): Html {
  const handsOver = t('family.hands-over');
  if (!room) {
    return html`<input type="hidden" name="place" value="instead">
${notice('care', t('family.replaces-you'), handsOver)}`;
  }
  return fieldset(
    { id: 'place', legend: t('family.place'), error },
    ticks([
      tick({
        kind: 'radio',
        name: 'place',
        value: 'second',
        label: t('family.place-second'),
        hint: t('family.place-second-hint'),
        ticked: place === 'second',
      }),
      tick({
        kind: 'radio',
        name: 'place',
        value: 'instead',
        label: t('family.place-instead'),
        caution: handsOver,
        ticked: place === 'instead',
      }),
    ]),
  );
}

function endSection(frame: Frame, child: Child): Html {
  return html`<section class="card" aria-labelledby="end">
<h2 id="end">${t('family.end')}</h2>
${endWords(frame, child)}
</section>`;
}

function endWords(frame: Frame, { id, name, ageBand, guardians }: Child): Html {
  if (ageBand === 'child') return html`<p>${t('family.end-child')}</p>`;
  const mine = guardians.find(({ viewer }) => viewer);
  if (mine?.guardianSaidEnd === true) {
    return notice('info', t('family.end-asked'), t('family.end-asked-more', { name: othersText(name) }));
  }
  const [lead, act] =
    mine?.childSaidEnd === true
      ? [t('family.end-by-child', { name: othersText(name) }), t('account.guardian-end')]
      : [t('family.end-by-both', { name: othersText(name) }), t('account.guardian-end-ask')];
  return html`<p>${lead}</p>
${form(frame, { action: paths.endGuardianship(id) }, html`<div class="actions">${button(act, { kind: 'danger' })}</div>`)}`;
}

function deleteSection({ id, name }: Child): Html {
  return html`<section class="card" aria-labelledby="delete">
<h2 id="delete">${t('family.delete', { name: othersText(name) })}</h2>
<p>${t('family.delete-lead')}</p>
<div class="actions">${linkButton(t('family.delete-button'), paths.deleteChild(id), 'danger')}</div>
</section>`;
}
