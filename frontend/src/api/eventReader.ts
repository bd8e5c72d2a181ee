/** One event of a `text/event-stream` (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  id: string;
  name: string;
  data: string;
}

/** Maximum line length; the server's events are a hundred bytes. */
const LONGEST_LINE = 65_536;

/** Parser of an event stream: takes chunks cut anywhere, and calls back with each complete event. */
export function createEventReader(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = '';
  let id = '';
  let name = '';
  let data: string[] = [];

  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) onEvent({ id, name: name || 'message', data: data.join('\n') });
      name = '';
      data = [];
      return;
    }
    if (text.startsWith(':')) return;
    const colon = text.indexOf(':');
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
  };

  return (piece) => {
    rest += piece;
    for (;;) {
      const end = /\r\n|\n|\r(?=[^\n])/.exec(rest);
      if (!end) break;
      line(rest.slice(0, end.index));
      rest = rest.slice(end.index + end[0].length);
    }
    if (rest.length > LONGEST_LINE) rest = '';
  };
}
