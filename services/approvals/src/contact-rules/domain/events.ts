import { storeTexts, type Text, t } from '@hearth/i18n';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';

type Person = Pick<PersonFacts, 'id' | 'app'>;

const appsOf = (app: string) => (app === '' ? [] : [app]);

/** Refreshes the cards that show which requests the person accepts. */
export function rulesChanged({ id, app }: Person, by: Caller | undefined): Announcement {
  const value = { person: id, apps: appsOf(app) };
  return { data: { case: 'requestRulesChanged', value }, topics: [`rules:${id}`], by };
}

/** Notifies the person of a proposal, with a link to their rules page. */
export function proposalNotice({ id, app }: Person, proposal: { id: string }, by: Caller): Announcement {
  const value = {
    person: id,
    ...storeTexts({ title: proposalTitle(by), body: '' }),
    link: '/rules',
    kind: 'approval',
    item: proposal.id,
    apps: appsOf(app),
  };
  return { data: { case: 'personNotified', value }, by };
}

export function proposalTitle({ name }: Caller): Text {
  return t('notices.rules-proposed', { who: name });
}
