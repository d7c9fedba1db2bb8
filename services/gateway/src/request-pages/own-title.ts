import { english, type Text, t, type Value, verbatim } from '@hearth/i18n';
import { type Approval, ApprovalKind } from '@hearth/proto/approvals/v1/approvals';
import { othersText, type Words } from '@hearth/web';

type Titled = Pick<Approval, 'kind' | 'title' | 'fromName' | 'group'>;

const titleCharacters = 140;
const quoted = (words: string) => othersText(words, titleCharacters);

/**
 * The title of an ask in its reader's language, if a home worded it; undefined for a title by its asker. An ask
 * keeps the English title that its answer signs, so it is recognized by its words.
 */
export function ownTitle(approval: Titled): Words | undefined {
  const index = titlesOf(approval, verbatim).findIndex((title) => english.words(title) === approval.title);
  return titlesOf(approval, quoted)[index];
}

function titlesOf({ kind, fromName, group }: Titled, quote: (words: string) => Value): Text[] {
  const name = quote(fromName);
  if (kind === ApprovalKind.RULES) return [t('notices.rules-proposed', { who: name })];
  if (kind !== ApprovalKind.JOIN_REQUEST || group === undefined) return [];
  const values = { name, group: quote(group.name) };
  return [t('ask.join-organizer', values), t('ask.join-guardian', values)];
}

/** The title of an invite among the requests, in its reader's language; undefined for any other title. */
export function invitationTitle(title: string): Words | undefined {
  const group = title.slice(english.words(t('requests.invitation', { group: '' })).length);
  if (english.words(t('requests.invitation', { group })) !== title) return undefined;
  return t('requests.invitation', { group: quoted(group) });
}
