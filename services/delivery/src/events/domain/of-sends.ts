import { isUuid } from '@hearth/ids';
import { mailKinds } from './draft.ts';
import { type Family, internal } from './family.ts';

export const sendEvents = {
  sendDue: {
    ...internal,
    mail({ kind, id, part }) {
      const known = mailKinds.find((name) => name === kind);
      return known === undefined || !isUuid(id) ? null : { kind: known, id, part };
    },
    callback: ({ kind, id, asker }) => (kind === 'callback' && isUuid(id) ? { approval: id, asker } : null),
  },
} satisfies Family;
