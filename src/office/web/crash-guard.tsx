import { Component, type ReactNode } from 'react';
import { Trouble } from '#ui/web/office/states.tsx';

/** Shows a way back where a page could not be loaded or drawn: a board must never end as an empty screen. */
export class CrashGuard extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <Trouble error={this.state.error} onRetry={() => location.reload()} />;
  }
}
