"""A convolutional VAE on made-up images, through a DataLoader; prints its losses. Arguments: steps and dtype."""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.LeakyReLU(0.2), nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16),
            nn.ReLU(inplace=True), nn.Flatten())
        self.mu, self.logvar = nn.Linear(16 * 9, latent), nn.Linear(16 * 9, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, 16 * 9), nn.Unflatten(1, (16, 3, 3)), nn.ConvTranspose2d(16, 8, 3, stride=2, padding=1, output_padding=1), nn.ReLU(),
            nn.Dropout2d(0.1), nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(8, 1, 3, padding=1))

    def forward(self, x):
        h = self.encoder(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.decoder(z), mu, logvar


def main(steps, dtype):
    torch.manual_seed(3)
    images = (torch.rand(64, 1, 12, 12) > 0.7).to(dtype)
    images = F.max_pool2d(F.pad(images, (1, 1, 1, 1)), 3, stride=1)
    loader = DataLoader(TensorDataset(images), batch_size=8, shuffle=True)
    model = VAE().to(dtype)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    done = 0
    while True:
        for (x,) in loader:
            if done == steps:
                model.eval()
                with torch.no_grad():
                    print(repr(model(images[:4])[0].sum().item()))
                return
            out, mu, logvar = model(x)
            bce = F.binary_cross_entropy_with_logits(out, x, reduction="sum")
            kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
            loss = (bce + kld) / x.size(0)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(repr(loss.item()))
            done += 1


main(int(sys.argv[1]), getattr(torch, sys.argv[2]))
