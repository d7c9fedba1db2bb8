import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html, type Piece, unseen } from '../html.ts';
import { othersText } from '../others-text.ts';
import type { GroupMember } from '../pages/group.ts';
import { paths } from '../paths.ts';
import { disclosure } from './disclosure.ts';
import { field } from './field.ts';
import { button, form } from './form.ts';

/** An organizer's acts on a member. Forms with `person` and `do`: organizer, member or remove (with `reason`). */
export function memberActs(
  frame: Frame,
  group: { handle: string; archived: boolean },
  member: GroupMember,
): Html | false {
  const { id, name, isViewer } = member;
  const act = (act: string, inside: Piece) =>
    form(frame, { action: paths.groupMembers(group.handle), carried: { person: id, do: act } }, inside);
  const ofRole = !group.archived && roleAct(member, act);
  if (isViewer && !ofRole) return false;
  return disclosure(
    { summary: t('groups.manage', { unseen, name: othersText(name) }) },
    html`${ofRole}
${
  !isViewer &&
  act(
    'remove',
    html`<p>${t('groups.remove-lead')}</p>
${field({ name: 'reason', id: `reason-${id}`, label: t('groups.remove-reason'), optional: true, maxLength: 140, autocomplete: 'off', hint: t('groups.remove-reason-hint') })}
<div class="actions">${button(t('groups.remove', { name: othersText(name) }), { kind: 'danger' })}</div>`,
  )
}`,
  );
}

function roleAct(
  { role, isViewer, isAdult, home }: GroupMember,
  act: (name: string, inside: Piece) => Html,
): Html {
  if (role === 'organizer')
    return act(
      'member',
      html`<p>${isViewer ? t('groups.step-down-lead') : t('groups.make-member-lead')}</p>
<div class="actions">${button(isViewer ? t('groups.step-down') : t('groups.make-member'), { kind: 'plain' })}</div>`,
    );
  if (home !== undefined)
    return html`<p>${t('groups.organizer-elsewhere', { home: othersText(home, 80) })}</p>`;
  if (!isAdult) return html`<p>${t('groups.organizer-minor')}</p>`;
  return act(
    'organizer',
    html`<p>${t('groups.make-organizer-lead')}</p>
<div class="actions">${button(t('groups.make-organizer'), { kind: 'plain' })}</div>`,
  );
}
