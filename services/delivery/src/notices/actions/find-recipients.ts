import { cleanText } from '@hearth/addresses';
import { english, Text } from '@hearth/i18n';
import { derivedId } from '@hearth/ids';
import { isMinor, type People, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { NoticeText } from '../../events/module.ts';
import { noticeWords, type StoredNotice } from '../../shared/domain/notice-words.ts';
import { wordingOf } from '../../shared/domain/wording.ts';
import type { Addressed, DraftedNotice } from '../domain/notice.ts';

/** Returns the recipients of drafts: for a person under 18 their guardians. Deleted people and the actor get none. */
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
    // The item belongs to the child alone. Guardians see the child's contacts on the family page; a guardian
    // held by an app may not be able to sign in there, so their link leads to what is waiting for them.
    const link = guardian.app === '' ? '/family' : '/requests';
    const own = { person: guardian.id, about: facts.id, link };
    const text = textFor(instead?.(shortenName(facts.name)) ?? draft, guardian);
    return { notice: { ...copy, ...own, ...text, id: idOf({ ...draft, ...own }) }, facts: guardian };
  });
}

/** Returns the text to store, with its English, which is shown if a later version drops the messages. */
function textFor({ body, title }: NoticeText, { timeZone }: PersonFacts): StoredNotice {
  const texts = Object.entries({ title, body }).filter(([, words]) => words instanceof Text);
  const wording = texts.length === 0 ? null : wordingOf(Object.fromEntries(texts), cleanText);
  const given = { title: asGiven(title), body: asGiven(body), wording };
  return { ...given, ...noticeWords(given, english, timeZone) };
}

const asGiven = (words: Text | string) => (typeof words === 'string' ? words : '');

/**
 * Derives an id for each notice: an app may also get the event itself, and a guardian one notice for
 * themselves and one for each child.
 */
function idOf({ event, person, about }: Pick<DraftedNotice, 'event' | 'person' | 'about'>): string {
  return derivedId(event, `${person} ${about}`);
}
