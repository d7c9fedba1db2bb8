import { english } from '@hearth/i18n';
import { describe, expect, test } from '@jest/globals';
import { askMail } from './mail.ts';

describe('the email about an ask', () => {
  const ask = {
    title: 'Coming?',
    details: 'At eight.\nhttp://evil.example',
    from_name: 'Robin',
    from: '@ada.ai-robin',
    name_verified: true,
    group: null,
    expires_at: new Date('2026-03-08T12:00:00Z'),
    time_zone: 'Europe/Zurich',
    link: 'https://home.example/a/apr_1?k=x',
    home: 'home.example',
    reminder: false,
  };

  test('quotes text from others, and puts the link on a line of its own', () => {
    const { subject, text } = askMail(ask, english);
    expect(subject).toBe('Robin asks: Coming?');
    const lines = text.split('\n');
    expect(lines).toContain('> Coming?');
    expect(lines).toContain('> http://evil.example');
    expect(lines).toContain(ask.link);
    expect(text).not.toContain('not verified');
    expect(text).toContain('until Sun, 8 Mar 2026, 13:00 Zurich time.');
  });

  test('says when it is a reminder, and when the name is not verified', () => {
    const { subject, text } = askMail(
      {
        ...ask,
        reminder: true,
        name_verified: false,
        from: '',
        group: 'Book club',
      },
      english,
    );
    expect(subject).toBe('Reminder: Robin asks: Coming?');
    expect(text).toContain('Robin asks you in Book club:\nThis sender’s name is not verified.\n\n> Coming?');
  });
});
