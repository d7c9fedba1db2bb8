import { eventCounter } from '@hearth/telemetry';

export const recordDisputed = eventCounter(
  'hearth.home.disputed',
  {
    description: 'Things of other homes that show other words of people here than they sent.',
    unit: '{thing}',
  },
  ({ home }: { home: string }) => ({ 'hearth.home': home }),
);
