import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { ApprovalRow } from '../db/approvals.ts';
import type { Notice } from './events.ts';

/** Whom the app that holds them tells of an ask. */
export interface Notified {
  person: Pick<PersonFacts, 'id' | 'app'>;
  /** uuid of somebody under 18 in whose place they answer. */
  child: string | null;
}

/** The words of a notice: nobody under 18 is named by their whole name. */
export function noticesFor(
  approval: Pick<ApprovalRow, 'id' | 'title' | 'about' | 'asker_name'>,
  notified: readonly Notified[],
  link: string,
  reminder = false,
): Notice[] {
  const who = approval.asker_name === '' ? 'Somebody' : approval.asker_name;
  return notified.map(({ person, child }) => ({
    person,
    about: approval.about ?? child ?? '',
    title: reminder ? `${who} reminds you` : `${who} asks you`,
    body: approval.title,
    link,
    item: approval.id,
  }));
}
