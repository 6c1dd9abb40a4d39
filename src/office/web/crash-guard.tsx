import { Component, type ReactNode } from 'react';
import { Trouble } from '#ui/web/office/states.tsx';

/** Shows a way back if a page fails to load or to render, so that a board never becomes an empty screen. */
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
