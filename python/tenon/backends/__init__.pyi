# What type checkers read of torch.backends: settings that can be set, and questions with an answer.
from typing import Any

class _Settings:
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

cpu: _Settings
cuda: _Settings
cudnn: _Settings
mkl: _Settings
mkldnn: _Settings
mps: _Settings
openmp: _Settings
opt_einsum: _Settings
