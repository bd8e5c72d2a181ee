import { expect, it } from 'vitest';
import { createEventReader, type ServerEvent } from './eventReader';

function readAll(pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const read = createEventReader((event) => events.push(event));
  for (const piece of pieces) read(piece);
  return events;
}

it('reassembles events from any network chunks', () => {
  const stream =
    ': hello\n\nid: 7\nevent: change\ndata: {"kind":"remittance"}\n\nid: 8\ndata: a\ndata: b\n\n';
  const whole = readAll([stream]);
  expect(whole).toEqual([
    { id: '7', name: 'change', data: '{"kind":"remittance"}' },
    { id: '8', name: 'message', data: 'a\nb' },
  ]);
  for (let cut = 1; cut < stream.length; cut++) {
    expect(readAll([stream.slice(0, cut), stream.slice(cut)])).toEqual(whole);
  }
});

it('reads CRLF line ends, cut between the two as well', () => {
  expect(readAll(['data: x\r', '\n\r\n'])).toEqual([{ id: '', name: 'message', data: 'x' }]);
});

it('keeps the last id for events that bring none', () => {
  expect(readAll(['id: 3\ndata: a\n\ndata: b\n\n']).map(({ id }) => id)).toEqual(['3', '3']);
});
