import { printId } from '@hearth/ids';
import { AgreementUpdatedSchema } from '@hearth/proto/delivery/v1/wake_ups';
import { type Family, quiet } from './family.ts';
import { wakeUp } from './wake-up.ts';
import { sentence } from './words.ts';

/** An agreement stands in the lists of its AIs and their people alone. */
export const agreementEvents = {
  agreementChanged: {
    ...quiet,
    app: null,
    activity({ title, what, viewers }, { who }) {
      const words = sentences[what];
      if (words === undefined) return null;
      return {
        action: `agreement.${what}`,
        summary: sentence(who, `${words[0]}: ${title}`, `${words[1]}: ${title}`),
        subjects: viewers,
      };
    },
    wakeUp({ agreement, reference, status, why, wakes }) {
      if (wakes.length === 0) return null;
      const data = { agreement: reference || printId('agr', agreement), status, ...(why !== '' && { why }) };
      return wakeUp(AgreementUpdatedSchema, data, { ais: wakes });
    },
  },
} satisfies Family;

/** By an actor, and by itself. */
const sentences: Record<string, readonly [string, string]> = {
  started: ['proposed an agreement', 'An agreement was proposed'],
  signed: ['signed an agreement', 'An agreement was signed'],
  ready: ['signed an agreement, as all sides have now', 'All sides signed an agreement'],
  declined: ['declined an agreement', 'An agreement was declined'],
  settled: ['said that an agreement was kept, as all sides did', 'An agreement was kept'],
  disputed: ['said that an agreement was not kept', 'An agreement was not kept'],
  side_gone: ['left an agreement', 'An AI left an agreement'],
};
