import type { AiSnapshot } from '@hearth/proto/events/v1/events';
import { fieldsInWords, type Mappers, sentence } from './draft.ts';

const nameOfAi = (ai: AiSnapshot | undefined) => `the AI ${ai?.name || 'without a name'}`;

/** The AI's own part of an address alone: the part before it may be the handle of a person under 18. */
function calledBy(address: string): string {
  const own = /\.ai-([a-z0-9-]{1,60})$/.exec(address)?.[1];
  return own === undefined ? 'an AI' : `the AI ${own}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const subjectsOf = (ai: AiSnapshot | undefined) => [ai?.id ?? '', ai?.owner ?? '', ai?.group ?? ''];

export const aiEvents: Mappers = {
  aiSignedUp: ({ ai, address }) => ({
    action: 'ai.signed_up',
    summary: `${capital(calledBy(address))} signed itself up`,
    subjects: [ai],
  }),
  aiCreated: ({ ai, apps }, who) => ({
    action: 'ai.created',
    summary: sentence(who, `made ${nameOfAi(ai)}`, `${capital(nameOfAi(ai))} was made`),
    subjects: [...subjectsOf(ai), ...apps],
  }),
  aiChanged: ({ ai, changed, owner, address }, who) => {
    const what = `${fieldsInWords(changed)} of ${calledBy(address)}`;
    return {
      action: 'ai.updated',
      summary: sentence(who, `changed ${what}`, `Changed: ${what}`),
      subjects: [ai, owner],
    };
  },
  aiClaimed: ({ ai, status, person, apps }, who) => {
    const vouched = status === 'vouched';
    return {
      action: vouched ? 'ai.vouched' : 'ai.claimed',
      summary: vouched
        ? sentence(who, `vouched for ${nameOfAi(ai)}`, `Somebody vouched for ${nameOfAi(ai)}`)
        : sentence(who, `claimed ${nameOfAi(ai)}`, `${capital(nameOfAi(ai))} was claimed`),
      subjects: [...subjectsOf(ai), person, ...apps],
    };
  },
  aiUnclaimed: ({ ai, owner, why, apps }) => ({
    action: 'ai.unclaimed',
    summary: `${capital(nameOfAi(ai))} has no owner any more${why === 'not_my_person' ? ': it said that this was not its person' : ''}`,
    subjects: [...subjectsOf(ai), owner, ...apps],
  }),
  aiUnvouched: ({ ai, person }) => ({
    action: 'ai.unvouched',
    summary: `Nobody vouches for ${nameOfAi(ai)} any more`,
    subjects: [...subjectsOf(ai), person],
  }),
  // The reason is told to the AI, and may be a person's own words.
  aiRevoked: ({ ai, owner, address, apps }, who) => ({
    action: 'ai.revoked',
    summary: sentence(
      who,
      `switched off ${calledBy(address)}`,
      `${capital(calledBy(address))} was switched off`,
    ),
    subjects: [ai, owner, ...apps],
  }),
};
