import { printId } from '@hearth/ids';
import { AiClaimedSchema, AiRevokedSchema, AiUnclaimedSchema } from '@hearth/proto/delivery/v1/app_events';
import type { AiSnapshot } from '@hearth/proto/events/v1/events';
import { appEvent } from './app-event.ts';
import type { NoticeDraft, Words } from './draft.ts';
import { type Family, internal, listed, quiet } from './family.ts';
import { capital, changeOf, sentence, until, whenOperator } from './words.ts';

export const aiEvents = {
  grantEnded: internal,
  aiSignedUp: {
    activity: ({ ai, address }) => ({
      action: 'ai.signed_up',
      summary: `${capital(calledBy(address))} signed itself up`,
      subjects: [ai],
    }),
    ...listed,
  },
  aiCreated: {
    activity: ({ ai, apps }, { who }) => ({
      action: 'ai.created',
      summary: sentence(who, `made ${nameOfAi(ai)}`, `${capital(nameOfAi(ai))} was made`),
      subjects: [...subjectsOf(ai), ...apps],
    }),
    ...listed,
  },
  aiChanged: {
    activity: ({ ai, changed, owner, address }, { who }) => ({
      action: 'ai.updated',
      summary: changeOf(calledBy(address), changed, who),
      subjects: [ai, owner],
    }),
    ...listed,
  },
  aiClaimed: {
    activity: ({ ai, status, person, apps }, { who }) => {
      const vouched = status === 'vouched';
      return {
        action: vouched ? 'ai.vouched' : 'ai.claimed',
        summary: vouched
          ? sentence(who, `vouched for ${nameOfAi(ai)}`, `Somebody vouched for ${nameOfAi(ai)}`)
          : sentence(who, `claimed ${nameOfAi(ai)}`, `${capital(nameOfAi(ai))} was claimed`),
        subjects: [...subjectsOf(ai), person, ...apps],
      };
    },
    app({ ai, status, apps, person }) {
      if (ai === undefined) return null;
      return appEvent(AiClaimedSchema, {
        apps,
        orderKey: ai.id,
        needs: { ais: [ai.id], people: [person, ai.owner] },
        data: (view) => ({
          ai: view.ai(ai, status),
          owner: view.personId({ id: person, minor: false }),
          status,
        }),
      });
    },
    ...quiet,
  },
  aiUnclaimed: {
    activity: ({ ai, owner, why, apps }) => ({
      action: 'ai.unclaimed',
      summary: `${capital(nameOfAi(ai))} has no owner any more${why === 'not_my_person' ? ': it said that this was not its person' : ''}`,
      subjects: [...subjectsOf(ai), owner, ...apps],
    }),
    app({ ai, owner, why, apps }) {
      if (ai === undefined) return null;
      return appEvent(AiUnclaimedSchema, {
        apps,
        orderKey: ai.id,
        needs: { ais: [ai.id], people: [owner] },
        data: (view) => ({
          ai: view.ai(ai, 'unclaimed'),
          owner: view.personId({ id: owner, minor: false }),
          why,
        }),
      });
    },
    ...quiet,
  },
  aiSuspended: {
    activity: ({ ai, until: end, reason, apps }, { who }) => ({
      action: 'ai.suspended',
      summary: sentence(
        who,
        `suspended ${nameOfAi(ai)} until ${until(end)}: ${reason}`,
        `${capital(nameOfAi(ai))} was suspended until ${until(end)}: ${reason}`,
      ),
      subjects: [...subjectsOf(ai), ...apps],
    }),
    ...listed,
    audit: ({ ai, until: end, reason }) => ({
      action: 'ai.suspended',
      about: printId('ai', ai?.id ?? ''),
      summary: `An AI was suspended until ${until(end)}`,
      reason,
    }),
    notice: ({ ai, until: end, reason }) =>
      toOwner(
        ai,
        `${ai?.name ?? ''} is suspended`,
        (zone) => `The operator suspended your AI until ${until(end, zone)}: ${reason}`,
      ),
  },
  aiRestored: {
    activity: ({ ai, reason, apps }, { who }) => ({
      action: 'ai.restored',
      summary: sentence(
        who,
        `let ${nameOfAi(ai)} act again: ${reason}`,
        `The suspension of ${nameOfAi(ai)} is over`,
      ),
      subjects: [...subjectsOf(ai), ...apps],
    }),
    ...listed,
    audit: ({ ai, reason }) => ({
      action: 'ai.restored',
      about: printId('ai', ai?.id ?? ''),
      summary: 'The suspension of an AI ended',
      reason,
    }),
    notice: ({ ai, reason }) =>
      toOwner(ai, `${ai?.name ?? ''} can act again`, reason || 'The time of its suspension is over.'),
  },
  aiUnvouched: {
    activity: ({ ai, person }) => ({
      action: 'ai.unvouched',
      summary: `Nobody vouches for ${nameOfAi(ai)} any more`,
      subjects: [...subjectsOf(ai), person],
    }),
    ...listed,
  },
  aiRevoked: {
    // The reason is told to the AI, and may be a person's own words.
    activity: ({ ai, owner, address, apps }, { who }) => ({
      action: 'ai.revoked',
      summary: sentence(
        who,
        `switched off ${calledBy(address)}`,
        `${capital(calledBy(address))} was switched off`,
      ),
      subjects: [ai, owner, ...apps],
    }),
    app: ({ ai, owner, apps }) =>
      appEvent(AiRevokedSchema, {
        apps,
        orderKey: ai,
        needs: { people: [owner] },
        // The owner of a child's AI is no secret to the app that holds the child.
        data: (view) => ({
          ai: printId('ai', ai),
          ...(owner !== '' && { owner: view.personId({ id: owner, minor: false }) }),
        }),
      }),
    ...quiet,
    audit: whenOperator(({ ai, reason }) => ({
      action: 'ai.revoked',
      about: printId('ai', ai),
      summary: 'An AI was switched off for good',
      reason,
    })),
  },
} satisfies Family;

const nameOfAi = (ai: AiSnapshot | undefined) => `the AI ${ai?.name || 'without a name'}`;

/** The AI's own part of an address alone: the part before it may be the handle of a person under 18. */
function calledBy(address: string): string {
  const own = /\.ai-([a-z0-9-]{1,60})$/.exec(address)?.[1];
  return own === undefined ? 'an AI' : `the AI ${own}`;
}

const subjectsOf = (ai: AiSnapshot | undefined) => [ai?.id ?? '', ai?.owner ?? '', ai?.group ?? ''];

/** For the person who owns the AI; none for an AI without an owner. */
function toOwner(ai: AiSnapshot | undefined, title: string, body: Words): NoticeDraft | null {
  if (ai === undefined || ai.owner === '') return null;
  return {
    person: ai.owner,
    about: null,
    kind: 'message',
    title,
    body,
    link: '/ais',
    except: '',
  };
}
