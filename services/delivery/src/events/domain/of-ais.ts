import { t, type Value } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { AiClaimedSchema, AiRevokedSchema, AiUnclaimedSchema } from '@hearth/proto/delivery/v1/app_events';
import type { AiSnapshot } from '@hearth/proto/events/v1/events';
import { appEvent } from './app-event.ts';
import type { NoticeDraft, NoticeText } from './draft.ts';
import { type Family, internal, listed, quiet } from './family.ts';
import { byActor, fieldsOf, untilWhen, whenOperator } from './words.ts';

export const aiEvents = {
  grantEnded: internal,
  aiSignedUp: {
    activity: ({ ai, address }) => ({
      action: 'ai.signed_up',
      summary: t('events.ai.signed_up', calledBy(address)),
      subjects: [ai],
    }),
    ...listed,
  },
  aiCreated: {
    activity: ({ ai, apps }, by) => ({
      action: 'ai.created',
      summary: t('events.ai.created', { ...byActor(by), name: nameOfAi(ai) }),
      subjects: [...subjectsOf(ai), ...apps],
    }),
    ...listed,
  },
  aiChanged: {
    activity: ({ ai, changed, owner, address }, by) => ({
      action: 'ai.updated',
      summary: t('events.ai.updated', { ...byActor(by), ...calledBy(address), fields: fieldsOf(changed) }),
      subjects: [ai, owner],
    }),
    ...listed,
  },
  aiClaimed: {
    activity: ({ ai, status, person, apps }, by) => {
      const change = status === 'vouched' ? 'vouched' : 'claimed';
      return {
        action: `ai.${change}`,
        summary: t(`events.ai.${change}`, { ...byActor(by), name: nameOfAi(ai) }),
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
      summary: t('events.ai.unclaimed', {
        name: nameOfAi(ai),
        why: why === 'not_my_person' ? why : 'other',
      }),
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
    activity: ({ ai, until: end, reason, apps }, by) => ({
      action: 'ai.suspended',
      summary: t('events.ai.suspended', {
        ...byActor(by),
        name: nameOfAi(ai),
        until: untilWhen(end),
        reason,
      }),
      subjects: [...subjectsOf(ai), ...apps],
    }),
    ...listed,
    audit: ({ ai, until: end, reason }) => ({
      action: 'ai.suspended',
      about: printId('ai', ai?.id ?? ''),
      summary: t('events.audit.ai.suspended', { until: untilWhen(end) }),
      reason,
    }),
    notice: ({ ai, until: end, reason }) =>
      toOwner(ai, {
        title: t('notices.ai-suspended', { name: nameOfAi(ai) }),
        body: t('notices.ai-suspended-more', { until: untilWhen(end), reason }),
      }),
  },
  aiRestored: {
    activity: ({ ai, reason, apps }, by) => ({
      action: 'ai.restored',
      summary: t('events.ai.restored', { ...byActor(by), name: nameOfAi(ai), reason }),
      subjects: [...subjectsOf(ai), ...apps],
    }),
    ...listed,
    audit: ({ ai, reason }) => ({
      action: 'ai.restored',
      about: printId('ai', ai?.id ?? ''),
      summary: t('events.audit.ai.restored'),
      reason,
    }),
    notice: ({ ai, reason }) =>
      toOwner(ai, {
        title: t('notices.ai-restored', { name: nameOfAi(ai) }),
        body: reason || t('notices.suspension-over'),
      }),
  },
  aiUnvouched: {
    activity: ({ ai, person }) => ({
      action: 'ai.unvouched',
      summary: t('events.ai.unvouched', { name: nameOfAi(ai) }),
      subjects: [...subjectsOf(ai), person],
    }),
    ...listed,
  },
  aiRevoked: {
    // Only the AI receives the reason, which may be a person's own words.
    activity: ({ ai, owner, address, apps }, by) => ({
      action: 'ai.revoked',
      summary: t('events.ai.revoked', { ...byActor(by), ...calledBy(address) }),
      subjects: [ai, owner, ...apps],
    }),
    app: ({ ai, owner, apps }) =>
      appEvent(AiRevokedSchema, {
        apps,
        orderKey: ai,
        needs: { people: [owner] },
        // The app that holds a child may know the owner of the child's AI.
        data: (view) => ({
          ai: printId('ai', ai),
          ...(owner !== '' && { owner: view.personId({ id: owner, minor: false }) }),
        }),
      }),
    ...quiet,
    audit: whenOperator(({ ai, reason }) => ({
      action: 'ai.revoked',
      about: printId('ai', ai),
      summary: t('events.audit.ai.revoked'),
      reason,
    })),
  },
} satisfies Family;

const nameOfAi = (ai: AiSnapshot | undefined): Value => ai?.name || t('events.no-name');

/** Only the AI's own part of an address: the part before it may be the handle of a person under 18. */
function calledBy(address: string): { named: 'no' | 'other'; name: string } {
  const own = /\.ai-([a-z0-9-]{1,60})$/.exec(address)?.[1];
  return own === undefined ? { named: 'no', name: '' } : { named: 'other', name: own };
}

const subjectsOf = (ai: AiSnapshot | undefined) => [ai?.id ?? '', ai?.owner ?? '', ai?.group ?? ''];

/** Returns a notice to the AI's owner; null if it has none. */
function toOwner(ai: AiSnapshot | undefined, text: NoticeText): NoticeDraft | null {
  if (ai === undefined || ai.owner === '') return null;
  return {
    person: ai.owner,
    about: null,
    kind: 'message',
    ...text,
    link: '/ais',
    except: '',
  };
}
