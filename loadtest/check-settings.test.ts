import { expect, test } from '@jest/globals';
import { mistakesIn } from './check-settings.mjs';

test('valid settings have no mistakes', () => {
  expect(mistakesIn('held-polls', { HOLDERS: '10', BASE_URL: 'http://localhost:8081' }, {})).toEqual([]);
  expect(mistakesIn('federation', { TOPOLOGY: 'one' }, {})).toEqual([]);
  expect(mistakesIn('asks', {}, { OPERATOR_KEY: 'k' })).toEqual([]);
});

test('all mistakes are reported at once', () => {
  expect(mistakesIn('held-polls', { SECOND: '5', HOLDERS: 'x', RATE: '-1' }, {})).toEqual([
    expect.stringMatching(/^SECOND is no setting of a load test; there are TOPOLOGY, /),
    'HOLDERS is "x"; expected a whole number above 0',
    'RATE is "-1"; expected a whole number above 0',
  ]);
  expect(mistakesIn('soak', {}, { SECONDS: '0' })).toHaveLength(1);
});

test('a scenario refuses to run without its settings', () => {
  expect(mistakesIn('federation', { BASE_URL: 'http://localhost:8081' }, {})).toEqual([
    'OTHER_URL is missing: federation needs it beside BASE_URL; or give TOPOLOGY=one',
  ]);
  expect(mistakesIn('asks', {}, {})).toHaveLength(1);
});
