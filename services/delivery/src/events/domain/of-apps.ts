import { printId } from '@hearth/ids';
import { type Family, internal, listed } from './family.ts';
import { changeOf, whenOperator } from './words.ts';

export const appEvents = {
  appChanged: {
    activity: ({ app, changed }) =>
      changed.includes('created')
        ? { action: 'app.created', summary: 'The app was made', subjects: [app] }
        : {
            action: 'app.updated',
            summary: changeOf('the app', changed, null),
            subjects: [app],
          },
    ...listed,
    audit: whenOperator(({ app, changed }) => ({
      action: changed.includes('created') ? 'app.created' : 'app.updated',
      about: printId('app', app),
      summary: changed.includes('created') ? 'An app was made' : changeOf('an app', changed, null),
      reason: '',
    })),
  },
  deletionConfirmed: internal,
} satisfies Family;
