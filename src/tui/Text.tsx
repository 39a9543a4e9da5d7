import { Text as InkText, type TextProps } from 'ink';
import { Children, type ReactNode } from 'react';
import { visibleLine } from '../terminal/visible.ts';

/** The only way to put text on the screen: what is foreign in it can be seen, and does nothing. */
export function Text({ children, ...props }: TextProps): ReactNode {
  const safe = Children.map(children, (child) => (typeof child === 'string' ? visibleLine(child) : child));
  return <InkText {...props}>{safe}</InkText>;
}
