import { t } from '@hearth/i18n';
import { pill } from '../components/ai-name.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

export type GroupRole = 'organizer' | 'member';

/** Whether minors can be in a group: no, with a guardian's consent, or teenagers on their own. */
export const groupAges = ['no', 'guardian', 'teens'] as const;
export type GroupAges = (typeof groupAges)[number];

export interface OwnGroup {
  name: string;
  /** Without the &. */
  handle: string;
  role: GroupRole;
  archived: boolean;
}

export interface Groups {
  /** Newest membership first. */
  groups: readonly OwnGroup[];
  olderCursor?: string | undefined;
  isOlder: boolean;
  /** The longest group name, in characters. */
  nameLength: number;
  /** Makes submitting a form twice idempotent. */
  attempt: string;
  done?: Words | undefined;
  refused?: Piece | undefined;
  values?: { name?: string; minors?: GroupAges | undefined };
  errors?: Errors<'name' | 'minors'>;
}

/** A person's groups. Form: `name`, `minors` (no, guardian or teens) to paths.groups. */
export function groupsPage(frame: Frame, model: Groups): string {
  const { groups, olderCursor, isOlder, done, refused, errors = {} } = model;
  const main = html`<h1>${isOlder ? t('groups.title-older') : t('groups.title')}</h1>
${actResult({ errors, done, refused })}
${
  groups.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? t('groups.none-older') : t('groups.none')}</p></div>`
    : html`<ul class="cards">${groups.map(groupRow)}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.groups}">${t('common.newest')}</a>`}
${olderCursor !== undefined && html`<a class="quiet-link" href="${olderPath(olderCursor)}">${t('common.older')}</a>`}
</p>
${!isOlder && createCard(frame, model)}`;
  return page(frame, {
    title: t('groups.title'),
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

const olderPath = (cursor: string) => `${paths.groups}?${new URLSearchParams({ older: cursor })}`;

function groupRow({ name, handle, role, archived }: OwnGroup): Html {
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.group(handle)}">${othersText(name, 80)}</a></p>
<p class="settled-state"><span class="address">&${handle}</span> ${rolePill(role)} ${archived && pill(t('groups.archived'), 'off')}</p>
</li>`;
}

export function rolePill(role: GroupRole): Html {
  return pill(t(`groups.role.${role}`), role === 'organizer' ? 'good' : 'plain');
}

function createCard(frame: Frame, model: Groups): Html {
  return html`<section class="card" aria-labelledby="create">
<h2 id="create">${t('groups.create')}</h2>
${createForm(frame, model)}
</section>`;
}

/** Field `minors`. */
export function groupAgesField(chosen: GroupAges = 'no', error?: Words): Html {
  const ages = groupAges.map((value) =>
    tick({
      ...{ kind: 'radio', name: 'minors', value, ticked: value === chosen },
      label: t(`groups.ages.${value}`),
      hint: t(`groups.ages.${value}-hint`),
    }),
  );
  return fieldset({ id: 'minors', legend: t('groups.ages'), error }, ticks(ages));
}

function createForm(frame: Frame, { nameLength, attempt, values = {}, errors = {} }: Groups): Html {
  const { person } = frame;
  if (person?.minor) return html`<p>${t('groups.create-minor')}</p>`;
  if (person?.guest)
    return html`<p>${t('groups.create-guest')}</p>
<div class="actions">${linkButton(t('sign-in.own'), paths.addSignIn, 'main')}</div>`;
  return html`<p>${t('groups.create-lead')}</p>
${form(
  frame,
  { action: paths.groups, carried: { attempt } },
  html`${field({
    name: 'name',
    label: t('groups.name'),
    value: values.name,
    autocomplete: 'off',
    maxLength: nameLength,
    hint: t('groups.name-hint'),
    error: errors.name,
  })}
${groupAgesField(values.minors, errors.minors)}
<div class="actions">${button(t('groups.create-button'))}</div>`,
)}`;
}
