import type { JSX } from 'preact';

/** A plan with its headings and steps formatted. */
export function Plan({ text }: { text: string }): JSX.Element {
  return (
    <div class="plan">
      {text.split('\n').map((line, at) => (
        <Line key={at} text={line} />
      ))}
    </div>
  );
}

function Line({ text }: { text: string }): JSX.Element | null {
  if (text.trim() === '') return null;
  const heading = /^#+\s+(.+)$/.exec(text)?.[1];
  if (heading !== undefined) return <h3>{heading}</h3>;
  const [, mark, step] = /^\s*(\d+[.)]|[-*])\s+(.+)$/.exec(text) ?? [];
  if (mark !== undefined && step !== undefined)
    return (
      <p class="step">
        <span class="quiet">{/\d/.test(mark) ? mark : '•'}</span>
        <span>
          <Inline text={step} />
        </span>
      </p>
    );
  return (
    <p>
      <Inline text={text} />
    </p>
  );
}

/** `code` and **bold** text, as agents write it. */
export function Inline({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, at) => {
        if (/^`.+`$/.test(part)) return <code key={at}>{part.slice(1, -1)}</code>;
        if (/^\*\*.+\*\*$/.test(part)) return <b key={at}>{part.slice(2, -2)}</b>;
        return part;
      })}
    </>
  );
}
