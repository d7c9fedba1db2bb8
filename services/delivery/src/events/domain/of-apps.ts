import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type Family, internal, listed } from './family.ts';
import { capital, changeOf, until, withReason } from './words.ts';

export const appEvents = {
  appChanged: {
    activity: ({ app, changed, until, reason }) => {
      const [action, told] = whatHappened('the app', changed, until);
      return { action, summary: withReason(told, reason), subjects: [app] };
    },
    ...listed,
    audit({ app, changed, until, reason }, { operator }) {
      if (!operator && !changed.includes('restored')) return null;
      const [action, summary] = whatHappened('an app', changed, until);
      return { action, about: printId('app', app), summary, reason };
    },
  },
  deletionConfirmed: internal,
} satisfies Family;

function whatHappened(
  name: string,
  changed: readonly string[],
  end: Timestamp | undefined,
): [action: string, told: string] {
  if (changed.includes('created')) return ['app.created', `${capital(name)} was made`];
  if (changed.includes('suspended'))
    return ['app.suspended', `${capital(name)} was suspended until ${until(end)}`];
  if (changed.includes('restored')) return ['app.restored', `The suspension of ${name} ended`];
  return ['app.updated', changeOf(name, changed, null)];
}
