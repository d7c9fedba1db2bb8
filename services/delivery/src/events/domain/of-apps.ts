import { type Family, internal, listed } from './family.ts';
import { changeOf } from './words.ts';

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
  },
  deletionConfirmed: internal,
} satisfies Family;
