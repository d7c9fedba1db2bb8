import { createLanguage, english } from '@hearth/i18n';
import { ApprovalKind } from '@hearth/proto/approvals/v1/approvals';
import { html, type Words } from '@hearth/web';
import { expect, test } from '@jest/globals';
import { invitationTitle, ownTitle } from './own-title.ts';

const german = createLanguage(
  'de',
  {
    'ask.join-organizer': '{name} möchte in die Gruppe {group}',
    'ask.join-guardian': 'Darf {name} in die Gruppe {group}?',
    'notices.rules-proposed': '{who} schlägt andere Regeln vor',
    'requests.invitation': 'Einladung in {group}',
  },
  english,
);
const shown = (title: Words | undefined) => title && html`${title}`.in(german);

const titleOf = (kind: ApprovalKind, title: string) =>
  shown(
    ownTitle({
      ...{ kind, title, fromName: 'Ida <b>' },
      group: {
        $typeName: 'hearth.approvals.v1.ApprovalGroup',
        id: 'grp_1',
        name: 'Walks',
        address: '&walks',
      },
    }),
  );

const ida = '<bdi class="theirs">Ida &#60;b&#62;</bdi>';
const walks = '<bdi class="theirs">Walks</bdi>';

test.each([
  [ApprovalKind.JOIN_REQUEST, 'Ida <b> wants to join Walks', `${ida} möchte in die Gruppe ${walks}`],
  [ApprovalKind.JOIN_REQUEST, 'May Ida <b> join Walks?', `Darf ${ida} in die Gruppe ${walks}?`],
  [
    ApprovalKind.RULES,
    'Ida <b> suggests different rules for who can reach you',
    `${ida} schlägt andere Regeln vor`,
  ],
])('a title that the home worded is in the language of its reader (%i: %s)', (kind, title, words) => {
  expect(titleOf(kind, title)).toBe(words);
});

test.each([
  [ApprovalKind.ASK, 'Ida <b> wants to join Walks'],
  [ApprovalKind.JOIN_REQUEST, 'Bob wants to join Walks'],
  [ApprovalKind.JOIN_REQUEST, 'Ida <b> wants to join Walks and more'],
  [ApprovalKind.RULES, 'Let me decide who reaches you'],
])('any other title stays as it is (%i: %s)', (kind, title) => {
  expect(titleOf(kind, title)).toBeUndefined();
});

test('an invite is named by its group, which other homes do not call an invitation', () => {
  expect(shown(invitationTitle('An invitation into Walks'))).toBe(`Einladung in ${walks}`);
  expect(invitationTitle('Walks')).toBeUndefined();
});
