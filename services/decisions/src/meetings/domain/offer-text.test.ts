import { createLanguage, english, t } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import { offerText } from './offer-text.ts';

const german = createLanguage(
  'de',
  { 'meetings.message.times': 'Termine ({zone}):', 'meetings.message.book': 'Buche {offer}.' },
  english,
);
const starts = Date.parse('2026-05-04T08:00:00Z');
const offer = {
  slots: [{ starts, ends: starts + 1, booking: null }],
  time_zone: 'Europe/Zurich',
  place: 'The café',
  note: null,
} as unknown as Parameters<typeof offerText>[0];

test('the message about an offer is in the reader’s language', () => {
  const book = t('meetings.message.book', { offer: 'ofr_1' });
  expect(offerText(offer, book, english)).toBe(
    [
      'Times to meet (Europe/Zurich):',
      'Mon, 4 May 2026, 10:00 (2026-05-04T08:00:00Z)',
      'The café',
      'Book one of these times with book_meeting, offer ofr_1.',
    ].join('\n'),
  );
  expect(offerText(offer, book, german)).toBe(
    [
      'Termine (Europe/Zurich):',
      'Mo., 4. Mai 2026, 10:00 (2026-05-04T08:00:00Z)',
      'The café',
      'Buche ofr_1.',
    ].join('\n'),
  );
});
