import type { Row } from './row.ts';

const appEvents = ['appsEvent', 'otherAppsEvent', 'noEvent'] as const;

/** The operations on an app's deliveries and events. */
export const appsRows: readonly Row[] = [
  ...(
    [
      ['get_delivery', (client, id) => client.get(`/v0/app/deliveries/${id}`)],
      // Neither app has an address. Only the app to which the event belongs is told so.
      ['replay_delivery', (client, id) => client.post(`/v0/app/deliveries/${id}/replay`)],
    ] as const satisfies readonly (readonly [string, Row['act']])[]
  ).map(([operation, act]) => ({
    operation,
    act,
    targets: appEvents,
    expected: { app: 'ANN', otherApp: 'NAN', ownerless: 'XXX' },
  })),
];
