import type { Row } from './row.ts';

const offers = ['adasOffer', 'openOffer', 'strangersOffer', 'noOffer'] as const;
const meetings = ['adasMeeting', 'strangersMeeting', 'noMeeting'] as const;
const ofSides = { ada: 'ANN', adasAi: 'ANN', fellow: 'ANN', stranger: 'NAN', child: 'NNN', ownerless: 'NNN' };
/** A time that no offer contains. */
const slot = '2020-01-01T10:00';

/**
 * Offers of times: Ada's to her fellow, Ada's to anyone, and the stranger's to an AI without an owner; and meetings booked
 * from the first and the last.
 */
export const meetingsRows: readonly Row[] = [
  {
    operation: 'get_offer',
    act: (client, id) => client.get(`/v0/meetings/offers/${id}`),
    targets: offers,
    expected: {
      ada: 'AANN',
      adasAi: 'AANN',
      fellow: 'AANN',
      stranger: 'NAAN',
      child: 'NNNN',
      ownerless: 'NANN',
      app: 'NANN',
    },
  },
  {
    operation: 'hold_slot',
    act: (client, id) => client.post(`/v0/meetings/offers/${id}/hold`, { slot }),
    targets: offers,
    expected: { fellow: 'AANN', stranger: 'NAAN', child: 'NNNN', ownerless: 'NANN' },
  },
  {
    operation: 'withdraw_offer',
    act: (client, id) => client.delete(`/v0/meetings/offers/${id}`),
    targets: offers,
    expected: { fellow: 'FFNN', child: 'NNNN', ownerless: 'NFNN', app: 'WWWW' },
  },
  {
    operation: 'get_meeting',
    act: (client, id) => client.get(`/v0/meetings/${id}`),
    targets: meetings,
    expected: { ...ofSides, app: 'NNN', otherApp: 'NNN' },
  },
  {
    operation: 'get_meeting_ics',
    act: (client, id) => client.get(`/v0/meetings/${id}.ics`),
    targets: meetings,
    expected: { child: 'NNN', app: 'NNN', otherApp: 'NNN' },
  },
  {
    operation: 'move_meeting',
    act: (client, id) => client.post(`/v0/meetings/${id}/move`, { starts_at: slot }),
    targets: meetings,
    expected: ofSides,
  },
  ...['accept', 'decline'].map(
    (word): Row => ({
      operation: `${word}_move`,
      act: (client, id) => client.post(`/v0/meetings/${id}/move/${word}`, {}),
      targets: meetings,
      expected: ofSides,
    }),
  ),
  {
    operation: 'cancel_meeting',
    act: (client, id) => client.delete(`/v0/meetings/${id}`),
    targets: meetings,
    expected: { child: 'NNN', app: 'WWW', otherApp: 'WWW' },
  },
];
