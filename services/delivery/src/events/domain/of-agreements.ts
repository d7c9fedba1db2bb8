import { t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { AgreementUpdatedSchema } from '@hearth/proto/delivery/v1/wake_ups';
import { type Family, quiet } from './family.ts';
import { wakeUp } from './wake-up.ts';
import { byActor } from './words.ts';

/** An agreement is only in the lists of its AIs and their people. */
export const agreementEvents = {
  agreementChanged: {
    ...quiet,
    app: null,
    activity({ title, what, viewers }, by) {
      const change = told.find((known) => known === what);
      if (change === undefined) return null;
      const summary = t(`events.agreement.${change}`, { ...byActor(by), title });
      return { action: `agreement.${change}`, summary, subjects: viewers };
    },
    wakeUp({ agreement, reference, status, why, wakes }) {
      if (wakes.length === 0) return null;
      const data = { agreement: reference || printId('agr', agreement), status, ...(why !== '' && { why }) };
      return wakeUp(AgreementUpdatedSchema, data, { ais: wakes });
    },
  },
} satisfies Family;

/** The changes that are activity. */
const told = ['started', 'signed', 'ready', 'declined', 'settled', 'disputed', 'side_gone'] as const;
