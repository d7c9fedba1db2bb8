import { isUuid } from '@hearth/ids';
import { sendKinds } from './draft.ts';
import { type Family, internal } from './family.ts';

export const sendEvents = {
  sendDue: {
    ...internal,
    send({ kind, id, part, asker }) {
      const known = sendKinds.find((name) => name === kind);
      return known === undefined || !isUuid(id) ? null : { kind: known, id, part, asker };
    },
  },
} satisfies Family;
