import { t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { type Family, internal, listed } from './family.ts';
import { fieldsOf, untilWhen, withReason } from './words.ts';

export const appEvents = {
  appChanged: {
    activity: ({ app, changed, until, reason }) => {
      const change = changeOf(changed);
      const told = t(`events.app.${change}`, { until: untilWhen(until), fields: fieldsOf(changed) });
      return { action: `app.${change}`, summary: withReason(told, reason), subjects: [app] };
    },
    ...listed,
    audit({ app, changed, until, reason }, { operator }) {
      if (!operator && !changed.includes('restored')) return null;
      const change = changeOf(changed);
      const summary = t(`events.audit.app.${change}`, { until: untilWhen(until), fields: fieldsOf(changed) });
      return { action: `app.${change}`, about: printId('app', app), summary, reason };
    },
  },
  deletionConfirmed: internal,
} satisfies Family;

const changeOf = (changed: readonly string[]) =>
  (['created', 'suspended', 'restored'] as const).find((known) => changed.includes(known)) ?? 'updated';
