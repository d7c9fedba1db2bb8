import { cleanText } from '@hearth/addresses';
import { english, Text } from '@hearth/i18n';
import { derivedId } from '@hearth/ids';
import { isMinor, type People, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { NoticeText } from '../../events/module.ts';
import { noticeWords, type StoredNotice } from '../../shared/domain/notice-words.ts';
import { wordingOf } from '../../shared/domain/wording.ts';
import type { Addressed, DraftedNotice } from '../domain/notice.ts';

/** The recipients of drafts: for a person under 18 their guardians. People who are gone, or who did it themselves, get none. */
export async function findRecipients(
  people: Pick<People, 'find'>,
  drafts: readonly DraftedNotice[],
): Promise<Addressed[]> {
  const named = await people.find(drafts.map(({ person }) => person));
  const guardians = await people.find(
    [...named.values()].flatMap((facts) => (isMinor(facts) ? facts.guardians : [])),
  );
  return drafts.flatMap((draft) => {
    const facts = named.get(draft.person);
    if (facts === undefined) return [];
    return addressedTo(draft, facts, guardians).filter(({ notice: { person } }) => person !== draft.except);
  });
}

function addressedTo(
  draft: DraftedNotice,
  facts: PersonFacts,
  guardians: ReadonlyMap<string, PersonFacts>,
): Addressed[] {
  const { by, except, instead, ...copy } = draft;
  const others = isMinor(facts) ? facts.guardians.flatMap((id) => guardians.get(id) ?? []) : [];
  // A person old enough to have an account without a guardian is notified themselves.
  if (others.length === 0) return [{ notice: { ...copy, ...textFor(draft, facts), id: idOf(draft) }, facts }];
  return others.map((guardian) => {
    // It came to the child and is theirs alone. Guardians see on the page of their family with whom a child deals; one whom an
    // app holds may have no sign-in for it, and sees what waits for them.
    const link = guardian.app === '' ? '/family' : '/requests';
    const own = { person: guardian.id, about: facts.id, link };
    const text = textFor(instead?.(shortenName(facts.name)) ?? draft, guardian);
    return { notice: { ...copy, ...own, ...text, id: idOf({ ...draft, ...own }) }, facts: guardian };
  });
}

/** With its English, which is shown where a version no longer has its messages. */
function textFor({ body, title }: NoticeText, { timeZone }: PersonFacts): StoredNotice {
  const texts = Object.entries({ title, body }).filter(([, words]) => words instanceof Text);
  const wording = texts.length === 0 ? null : wordingOf(Object.fromEntries(texts), cleanText);
  const given = { title: asGiven(title), body: asGiven(body), wording };
  return { ...given, ...noticeWords(given, english, timeZone) };
}

const asGiven = (words: Text | string) => (typeof words === 'string' ? words : '');

/** An id of the notice's own: an app may get the event itself too, and a guardian a notice for themselves and one for each child. */
function idOf({ event, person, about }: Pick<DraftedNotice, 'event' | 'person' | 'about'>): string {
  return derivedId(event, `${person} ${about}`);
}
