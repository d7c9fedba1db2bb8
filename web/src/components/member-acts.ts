import type { Frame } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import type { GroupMember } from '../pages/group.ts';
import { paths } from '../paths.ts';
import { disclosure } from './disclosure.ts';
import { field } from './field.ts';
import { button, form } from './form.ts';

/** The acts of organizers on one member. Each form has `person` and `do`: organizer, member or remove (`reason`). */
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
    { summary: html`Change<span class="unseen">: ${othersText(name)}</span>` },
    html`${ofRole}
${
  !isViewer &&
  act(
    'remove',
    html`<p>Removed, they see the group no more, and come back by an invite alone. What they posted stays.</p>
${field({ name: 'reason', id: `reason-${id}`, label: 'Why?', optional: true, maxLength: 140, autocomplete: 'off', hint: 'For the organizers.' })}
<div class="actions">${button(html`<span>Remove ${othersText(name)}</span>`, { kind: 'danger' })}</div>`,
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
      html`<p>${isViewer ? 'You stay in the group, and only another organizer can make you one again.' : 'They stay in the group, and change nothing of it any more.'}</p>
<div class="actions">${button(isViewer ? 'Be a member only' : 'Make them a member only', { kind: 'plain' })}</div>`,
    );
  if (home !== undefined)
    return html`<p>They live at ${othersText(home, 80)}. An organizer is a person of this home.</p>`;
  if (!isAdult) return html`<p>An organizer has to be an adult.</p>`;
  return act(
    'organizer',
    html`<p>An organizer invites and removes people, changes the group and can archive it. They can end your part as an organizer, too.</p>
<div class="actions">${button('Make them an organizer', { kind: 'plain' })}</div>`,
  );
}
